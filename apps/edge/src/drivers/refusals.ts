/**
 * Objects of a state that this machine's kernel or tools refused: they are left out, or stay as they were, so that the
 * rest of the state acts. Each is tried again with the next state, and now and then without one.
 */
import { readFileSync } from "node:fs";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { replaceFile } from "./replace-file.ts";

/** How findings name an object of a state. */
export type ObjectName = Pick<Finding, "section" | "kind" | "object">;

/** The machine refused a part of an object that acts without it: in its step's place the part is left out (without-refused.ts). */
export class PartRefused extends Error {
  /** As in the name of an object. */
  readonly kind: string;

  constructor(kind: string, why: string) {
    super(why);
    this.name = "PartRefused";
    this.kind = kind;
  }
}

/** An object that the machine refused, and how it reports that. */
export interface Refused {
  readonly about: ObjectName;
  readonly why: string;
  /** Of a denial: by number, what it denies instead (refused-policy.ts). */
  readonly form?: number;
}

/** Of what a step sets for many objects at once the machine refused some, each for itself; the others act. */
export class ObjectsRefused extends Error {
  readonly refused: readonly Refused[];

  constructor(refused: readonly Refused[]) {
    super(refused.map(({ about, why }) => `${about.kind} ${about.object}: ${why}`).join("; "));
    this.name = "ObjectsRefused";
    this.refused = refused;
  }
}

type Line = UnderlaySection["lines"][number];

interface Kept extends ObjectName {
  /** As the kernel or the tool reports it. */
  readonly why: string;
  /** What a WAN link was before: it may be the only way to the controller. Null: nothing, or it is no WAN link. */
  readonly instead: Line | null;
  /** Of a denial: by number, what it denies instead (refused-policy.ts); absent: all that passes. */
  readonly form?: number;
}

export interface Refusal extends Kept {
  /** False: it is tried again with the next plan. */
  readonly isOut: boolean;
  /** How often the same state was refused, or those since the edge started. */
  readonly tries: number;
}

interface Entry extends Kept {
  readonly tries: number;
  readonly notBefore: number;
}

const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;
const maxWhy = 200;

const keyOf = ({ section, kind, object }: ObjectName): string => [section, kind, object].join("\n");

const read = (file: string | null): Kept[] => {
  if (file === null) return [];
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Kept[];
  } catch {
    return [];
  }
};

export class Refusals {
  readonly #file: string | null;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  /**
   * @param file in which they outlive the edge: after a reboot a WAN link is immediately what it was before; null: they need
   * not
   * @param now ms on a clock that no time change moves
   */
  constructor(file: string | null, now: () => number = () => performance.now()) {
    this.#file = file;
    this.#now = now;
    for (const refusal of read(file))
      this.#set({ ...refusal, tries: 1, notBefore: now() + firstPauseMs });
  }

  get all(): readonly Refusal[] {
    const now = this.#now();
    return [...this.#entries.values()].map(
      ({ section, kind, object, why, instead, form, tries, notBefore }) => ({
        section,
        kind,
        object,
        why,
        instead,
        ...(form !== undefined && { form }),
        tries,
        isOut: now < notBefore,
      }),
    );
  }

  /** The machine refused the object. @param before the WAN link as it runs; what an earlier refusal kept goes first */
  add(name: ObjectName, why: string, before: Line | null, form?: number): void {
    const known = this.#entries.get(keyOf(name));
    const tries = (known?.tries ?? 0) + 1;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
    this.#set({
      section: name.section,
      kind: name.kind,
      object: name.object,
      why: why.slice(-maxWhy),
      instead: known?.instead ?? before,
      ...(form !== undefined && { form }),
      tries,
      notBefore: this.#now() + pauseMs,
    });
    this.#write();
  }

  /** It is left out at the moment, or a WAN link stays as it was. */
  isOut(name: ObjectName): boolean {
    const entry = this.#entries.get(keyOf(name));
    return entry !== undefined && this.#now() < entry.notBefore;
  }

  /** It was refused before, and is out or tried again. */
  has(name: ObjectName): boolean {
    return this.#entries.has(keyOf(name));
  }

  /** The state cannot do without it. */
  forget(name: ObjectName): void {
    if (this.#entries.delete(keyOf(name))) this.#write();
  }

  /** Another state, which may say something else of them: all are tried again. */
  retry(): void {
    for (const entry of this.#entries.values())
      this.#set({ ...entry, tries: 0, notBefore: Number.NEGATIVE_INFINITY });
  }

  /** What was tried again acts, or is no part of the state any more. */
  settle(): void {
    const before = this.#entries.size;
    for (const [key, { notBefore }] of this.#entries)
      if (this.#now() >= notBefore) this.#entries.delete(key);
    if (this.#entries.size !== before) this.#write();
  }

  #set(entry: Entry): void {
    this.#entries.set(keyOf(entry), entry);
  }

  #write(): void {
    if (this.#file === null) return;
    const kept = this.all.map(({ isOut: _, tries: __, ...one }) => one);
    replaceFile(this.#file, JSON.stringify(kept));
  }
}
