// Starts the browser client: loads the glue and the WASM that the page's head names, then wakes the islands.
// Nothing here is needed for the page to work: when any of it fails, the plain forms stay as they are.

const address = (selector) => document.head.querySelector(selector).href;

// Of what is typed before the client is awake it is told when it is. What a reload or Back restored was not typed.
const [visit] = performance.getEntriesByType("navigation");
const fields = visit?.type === "navigate" ? document.querySelectorAll("textarea, input") : [];
let typed = [...fields].find((field) => field.value !== field.defaultValue);
const note = ({ target }) => (typed = target);
addEventListener("input", note);

const client = await import(address('link[rel="modulepreload"]'));
await client.default({ module_or_path: address('link[rel="preload"][as="fetch"]') });
client.hydrate();

// As Leptos' own script does, but at once: a press of Save must not wait for the browser to be idle. Islands are
// flat, so none has to know another.
for (const island of document.querySelectorAll("leptos-island")) {
  client[island.dataset.component](island);
}

removeEventListener("input", note);
typed?.dispatchEvent(new Event("input", { bubbles: true }));
