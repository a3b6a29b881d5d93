/** Hardware addresses as people paste them. */

/** Six octets, as Linux, Windows and Cisco write them, and without anything between. */
const macForms = [
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/,
  /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$/,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/,
  /^[0-9a-f]{12}$/,
];

/**
 * A hardware address in any of the forms that devices print it in, as "02:00:5e:10:00:01".
 * @param text in lower case @returns null: it is none
 */
export const macIn = (text: string): string | null =>
  macForms.some((form) => form.test(text))
    ? (text.replaceAll(/[^0-9a-f]/g, "").match(/../g) ?? []).join(":")
    : null;
