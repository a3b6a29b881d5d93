let last: HTMLStyleElement | null = null;

/**
 * Adds a stylesheet of the component library (antd-styles.ts), behind those that are there of it and before all others: what
 * these say otherwise holds.
 */
export const addSheet = (text: string): void => {
  const sheet = document.createElement("style");
  sheet.textContent = text;
  if (last) last.after(sheet);
  else document.head.prepend(sheet);
  last = sheet;
};
