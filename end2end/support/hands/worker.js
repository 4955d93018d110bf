// What specs ask for, through `support/hands.ts`. They name a tab as the tools for developers do.

async function tabOf(target) {
  const targets = await chrome.debugger.getTargets();
  return chrome.tabs.get(targets.find(({ id }) => id === target).tabId);
}

self.hands = {
  duplicate: async (target) => chrome.tabs.duplicate((await tabOf(target)).id),
  close: async (target) => chrome.tabs.remove((await tabOf(target)).id),
  reopen: () => chrome.sessions.restore(),
  cover: async (target) => chrome.tabs.create({ windowId: (await tabOf(target)).windowId }),
  show: async (target) => chrome.tabs.update((await tabOf(target)).id, { active: true }),
  newWindow: () => chrome.windows.create({ url: 'about:blank' }),
  blockStorage: (site) => chrome.contentSettings.cookies.set({ primaryPattern: `${site}/*`, setting: 'block' }),
};
