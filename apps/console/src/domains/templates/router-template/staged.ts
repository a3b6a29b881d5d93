import type { TemplateCpe } from "./template-texts.ts";

/** What a transfer would save: CPEs that come in and those that leave, by id. */
export interface Staged {
  readonly added: ReadonlyMap<number, TemplateCpe>;
  readonly removed: ReadonlyMap<number, TemplateCpe>;
}

export const nothingStaged: Staged = { added: new Map(), removed: new Map() };

const without = <Value>(map: ReadonlyMap<number, Value>, ids: ReadonlySet<number>) =>
  new Map([...map].filter(([id]) => !ids.has(id)));

/** Ticked CPEs by id; they stay ticked while another search hides them. */
export type Ticked = ReadonlyMap<number, TemplateCpe>;

export const nothingTicked: Ticked = new Map();

/** Ticks one, or takes its tick away. */
export const toggled = (ticked: Ticked, cpe: TemplateCpe): Ticked =>
  ticked.has(cpe.id)
    ? without(ticked, new Set([cpe.id]))
    : new Map([...ticked, [cpe.id, cpe] as const]);

/** Ticks all of these. */
export const tick = (ticked: Ticked, cpes: readonly TemplateCpe[]): Ticked =>
  new Map([...ticked, ...cpes.map((cpe) => [cpe.id, cpe] as const)]);

/** Takes the ticks of all of these away. */
export const untick = (ticked: Ticked, cpes: readonly TemplateCpe[]): Ticked =>
  without(ticked, new Set(cpes.map(({ id }) => id)));

/** Moves CPEs to the right; one that was about to leave simply stays. */
export const stageIn = (staged: Staged, cpes: readonly TemplateCpe[]): Staged => {
  const ids = new Set(cpes.map(({ id }) => id));
  const fresh = cpes.filter(({ id }) => !staged.removed.has(id));
  return {
    added: new Map([...staged.added, ...fresh.map((cpe) => [cpe.id, cpe] as const)]),
    removed: without(staged.removed, ids),
  };
};

/** Moves CPEs to the left; one that was about to come in simply does not. */
export const stageOut = (staged: Staged, cpes: readonly TemplateCpe[]): Staged => {
  const ids = new Set(cpes.map(({ id }) => id));
  const present = cpes.filter(({ id }) => !staged.added.has(id));
  return {
    added: without(staged.added, ids),
    removed: new Map([...staged.removed, ...present.map((cpe) => [cpe.id, cpe] as const)]),
  };
};

const byAlias = (one: TemplateCpe, other: TemplateCpe): number =>
  one.alias.localeCompare(other.alias) || one.id - other.id;

/** The two sides as shown: what the server has, with what is staged moved across. */
export const sidesOf = (
  available: readonly TemplateCpe[],
  added: readonly TemplateCpe[],
  staged: Staged,
): { readonly left: TemplateCpe[]; readonly right: TemplateCpe[] } => ({
  left: [...available.filter(({ id }) => !staged.added.has(id)), ...staged.removed.values()].sort(
    byAlias,
  ),
  right: [...added.filter(({ id }) => !staged.removed.has(id)), ...staged.added.values()].sort(
    byAlias,
  ),
});
