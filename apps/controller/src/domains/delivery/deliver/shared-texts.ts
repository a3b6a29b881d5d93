/** Characters that are kept, about as many bytes: several lists of 30,000 networks. */
const mostCharacters = 16_000_000;

/**
 * Texts of sections of spaces that were read last: all members of a space need the same ones at about the same time.
 * A text under a hash never changes. Who may have it is checked by the space, each time.
 */
export class SharedTexts {
  readonly #texts = new Map<string, string>();
  readonly #most: number;
  #characters = 0;

  constructor(maxCharacters = mostCharacters) {
    this.#most = maxCharacters;
  }

  get(spaceId: number, hash: string): string | undefined {
    const key = `${spaceId} ${hash}`;
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    // Those that were used last are at the end.
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  add(spaceId: number, hash: string, text: string): void {
    if (text.length > this.#most || this.get(spaceId, hash) !== undefined) return;
    this.#texts.set(`${spaceId} ${hash}`, text);
    this.#characters += text.length;
    for (const [key, oldest] of this.#texts) {
      if (this.#characters <= this.#most) return;
      this.#texts.delete(key);
      this.#characters -= oldest.length;
    }
  }
}
