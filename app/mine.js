// The list of pastes that were saved with this browser, from its localStorage, where the save form puts a line for each.
//
// Nothing of it is ever sent anywhere: the one request made here deletes a paste, with the token the person chose to
// keep. Every word that is shown comes from the page.

const LINE = 'oncebin.mine.';
const SAVE = 'oncebin.save.';
const KEY = 'oncebin.key';
const DELETE_MS = 15_000;

const root = document.getElementById('mine');
const words = root.dataset;
const part = (name, of = root) => of.querySelector(`[data-part="${name}"]`);
const show = (name, shown, of) => (part(name, of).hidden = !shown);
const say = (text) => (part('status').textContent = text);
const time = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
});

/** The names of a kind that storage holds. */
const names = (kind) => Object.keys(localStorage).filter((name) => name.startsWith(kind));

/** What stands under a name; none when another version of the client or another script wrote it. */
function read(name) {
  try {
    const record = JSON.parse(localStorage.getItem(name));
    return record?.v === 1 && /^https?:/.test(record.url) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Every line, the newest first. */
function lines() {
  const records = names(LINE).map(read).filter((record) => record !== undefined);
  return records.sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}

const forget = (id) => localStorage.removeItem(LINE + id);

/** A save that waits to be acknowledged has text and key of its paste; they go with it. This tab may know the key, too. */
function forgetSave(id) {
  for (const name of names(SAVE)) {
    if (read(name)?.id !== id) continue;
    localStorage.removeItem(name);
    if (name === SAVE + sessionStorage.getItem(KEY)) sessionStorage.removeItem(KEY);
  }
}

function showTime(name, at, item) {
  const date = new Date(at);
  part(name, item).dateTime = at;
  part(name, item).textContent = isNaN(date) ? at : time.format(date);
}

/** Takes an item off the page; the focus goes to what says why. */
function remove(item, text) {
  item.remove();
  show('all', part('list').children.length > 0);
  say(text);
  part('status').focus();
}

/** One request at a time: a second one would be told that the paste was gone already. */
async function deletePaste({ id, delete_token: token }, item) {
  if ('busy' in item.dataset) return;
  item.dataset.busy = '';
  say(words.deleting);
  const headers = { Authorization: `Bearer ${token}` };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), DELETE_MS);
  const options = { method: 'DELETE', headers, signal: limit.signal, cache: 'no-store' };
  const answer = await fetch(`${words.api}/${id}`, options).catch(() => {});
  clearTimeout(timer);
  delete item.dataset.busy;
  if (answer?.status !== 204 && answer?.status !== 404) return say(words.failed);
  forget(id);
  forgetSave(id);
  remove(item, answer.status === 204 ? words.deleted : words.gone);
}

/** A first press asks, a second one acts; going elsewhere on the page is a no, another window is not. */
function onSecondPress(button, act) {
  const label = button.textContent;
  const ask = (asks) => {
    button.dataset.state = asks ? 'asks' : 'idle';
    button.textContent = asks ? button.dataset.ask : label;
  };
  button.addEventListener('blur', () => document.activeElement !== button && ask(false));
  button.addEventListener('click', () => {
    const isSecond = button.dataset.state === 'asks';
    ask(!isSecond);
    if (isSecond) act();
  });
}

/** An expired paste is shown this once: its line is dropped. */
function itemOf(record) {
  const item = part('item').content.firstElementChild.cloneNode(true);
  const isExpired = Date.parse(record.expires_at) <= Date.now();
  const name = part('name', item);
  name.id = `mine-${record.id}`;
  name.textContent = record.title ?? record.url;
  name.href = record.url;
  item.dataset.state = isExpired ? 'expired' : 'live';
  shown.set(item, JSON.stringify(record));
  if (isExpired) {
    name.removeAttribute('href');
    forget(record.id);
  }
  showTime('saved', record.created_at, item);
  showTime('expires', record.expires_at, item);
  show('expired', isExpired, item);
  show('delete', Boolean(record.delete_token) && !isExpired, item);
  show('forget', !isExpired, item);
  for (const button of item.querySelectorAll('button')) button.setAttribute('aria-describedby', name.id);
  onSecondPress(part('delete', item), () => deletePaste(record, item));
  part('forget', item).addEventListener('click', () => {
    forget(record.id);
    remove(item, words.forgotten);
  });
  return item;
}

/** What each item on the page shows. */
const shown = new WeakMap();

/**
 * Makes the list what storage says. Items that have not changed stay where they are, with the focus and a question that
 * may be open; an expired one stays until the page is left, since its line is gone already.
 */
function render() {
  const list = part('list');
  const wanted = lines();
  const texts = new Set(wanted.map((record) => JSON.stringify(record)));
  for (const item of [...list.children]) {
    if (item.dataset.state === 'expired' || texts.delete(shown.get(item))) continue;
    // Otherwise the focus would fall to the top of the page.
    if (item.contains(document.activeElement)) part('status').focus();
    item.remove();
  }
  for (const record of wanted) {
    if (!texts.has(JSON.stringify(record))) continue;
    const older = [...list.children].find((item) => Date.parse(savedAt(item)) < Date.parse(record.created_at));
    list.insertBefore(itemOf(record), older ?? null);
  }
  const count = list.children.length;
  show('all', count > 0);
  if (count === 0) say(words.empty);
  else if (part('status').textContent === words.empty) say('');
}

const savedAt = (item) => part('saved', item).dateTime;

try {
  show('without', false);
  render();
  onSecondPress(part('forget-all'), () => {
    names(LINE).forEach((name) => localStorage.removeItem(name));
    part('list').replaceChildren();
    render();
    part('status').focus();
  });
  // Another tab saved, deleted or forgot one.
  addEventListener('storage', ({ key }) => (key === null || key.startsWith(LINE)) && render());
} catch {
  say(words.blocked);
}
