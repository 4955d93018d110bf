// The comforts of the paste page: times in the reader's zone, copying, the wrap switch remembered, links to lines.
//
// The page is whole without them, and each stands alone: what a browser lacks or forbids takes away no more than
// itself. Every word that is shown or announced comes from the page.

const status = document.getElementById('status');
const filled = (words, ...numbers) => numbers.reduce((text, number) => text.replace('{}', number), words);

/** Every time in the reader's own zone, with the zone; UTC stays where the pointer rests. */
function showLocalTimes() {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
  });
  for (const time of document.querySelectorAll('time')) {
    const date = new Date(time.dateTime);
    if (isNaN(date)) continue;
    time.title = time.textContent;
    time.textContent = format.format(date);
  }
}

/** The wrap switch stays as this reader left it. */
function rememberWrap() {
  const key = 'oncebin.wrap';
  const wrap = document.getElementById('wrap');
  wrap.checked = localStorage.getItem(key) !== 'off';
  wrap.addEventListener('change', () => localStorage.setItem(key, wrap.checked ? 'on' : 'off'));
}

/** The copy button: the exact raw text, also where the page shows only its start, also on plain http. */
function offerCopy() {
  const button = document.getElementById('copy');
  const label = button.textContent;
  let text; // Kept: a browser that takes a fetch for the end of a press copies at the next one.
  let pause;

  const say = (state) => {
    button.dataset.state = state;
    button.textContent = status.textContent = button.dataset[state];
    clearTimeout(pause);
    pause = setTimeout(() => {
      button.dataset.state = 'idle';
      button.textContent = label;
    }, 2000);
  };
  button.addEventListener('click', async () => {
    const kept = text !== undefined;
    try {
      text ??= await exactText(button.dataset.raw);
      say((await write(text)) ? 'copied' : kept ? 'failed' : 'again');
    } catch {
      say('again');
    }
  });
  button.hidden = false;
}

/** `Response.text()` would drop a byte order mark. */
async function exactText(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
}

/** `navigator.clipboard` is there on https alone; the old command works on plain http too. */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeByCommand(text);
  }
}

function writeByCommand(text) {
  // Something has to be selected for the command to copy; the text itself goes in as the browser asks for it.
  const area = document.createElement('textarea');
  area.value = ' ';
  area.style.position = 'fixed';
  area.addEventListener('copy', (event) => {
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  });
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  focused?.focus({ preventScroll: true });
  return copied;
}

/**
 * Links to lines: a press on a number selects its line, with Shift all lines from the one selected before. The address
 * follows, and a page opened at such an address shows its lines. The numbers are one stop of the Tab key; the arrow keys
 * go from number to number.
 */
function linkLines() {
  const text = document.querySelector('.text');
  const numbers = [...text.querySelectorAll('a')];
  let first = 0; // The line a range grows from, or 0.
  let marked = [];
  let current = numbers[0];

  const numberOf = (link) => numbers.indexOf(link) + 1;
  const lineOf = (number) => numbers[number - 1]?.parentElement;

  const mark = (from, to) => {
    for (const line of marked) delete line.dataset.marked;
    marked = numbers.slice(from - 1, to).map((link) => link.parentElement);
    for (const line of marked) line.dataset.marked = '';
    const { line, lines } = status.dataset;
    status.textContent = from === to ? filled(line, from) : filled(lines, from, to);
  };
  const select = (number, extend) => {
    const [from, to] = extend && first ? [Math.min(first, number), Math.max(first, number)] : [number, number];
    if (!extend || !first) first = number;
    mark(from, to);
    // Not `location.hash`: it would scroll, and fill the history with selections.
    history.replaceState(history.state, '', from === to ? `#L${from}` : `#L${from}-L${to}`);
  };
  const follow = () => {
    const ends = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash);
    if (!ends) return;
    const [from, to] = [+ends[1], +(ends[2] ?? ends[1])].sort((a, b) => a - b);
    if (!lineOf(from)) return;
    first = from;
    mark(from, Math.min(to, numbers.length));
    lineOf(from).scrollIntoView();
    stop(numbers[from - 1]);
  };
  const stop = (link) => {
    current.tabIndex = -1;
    current = link;
    current.tabIndex = 0;
  };

  for (const link of numbers) link.tabIndex = -1;
  stop(current);
  // From now on the mark is ours: `:target` does not follow `replaceState`.
  text.dataset.links = 'live';
  text.addEventListener('mousedown', (event) => {
    // Shift would select the text in between.
    if (event.shiftKey && event.target.closest('a')) event.preventDefault();
  });
  text.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    stop(link);
    select(numberOf(link), event.shiftKey);
  });
  text.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && numbers[numberOf(event.target) - 1 + step];
    if (!next || numberOf(event.target) === 0) return;
    event.preventDefault();
    stop(next);
    next.focus();
  });
  addEventListener('hashchange', follow);
  follow();
}

for (const comfort of [showLocalTimes, rememberWrap, offerCopy, linkLines]) {
  try {
    comfort();
  } catch (error) {
    console.warn(error);
  }
}
