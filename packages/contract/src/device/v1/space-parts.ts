/**
 * The networks of a space in parts (docs/adr/0037-space-networks.md): the section `space.<space>` is an index, which names
 * parts of the list by their hashes, so that one network more or less makes one new part. Pure.
 */
import { z } from "zod";
import { inChunks } from "#contract/device/v1/buckets.ts";
import { type SpaceSection, sha256Hex, spaceSection } from "#contract/device/v1/state.ts";

export const spaceIndex = spaceSection
  .omit({ networks: true })
  .extend({ parts: z.array(sha256Hex).max(65_536) });
export type SpaceIndex = z.output<typeof spaceIndex>;

export const spacePart = spaceSection.pick({ networks: true });
export type SpacePart = z.output<typeof spacePart>;

/** @param hashOf the hash that a content is known by */
export const divideSpace = (
  { networks, ...section }: SpaceSection,
  hashOf: (content: unknown) => string,
): { readonly index: SpaceIndex; readonly parts: ReadonlyMap<string, SpacePart> } => {
  const parts = inChunks(networks).map((some) => {
    const part = { networks: some };
    return [hashOf(part), part] as const;
  });
  return { index: { ...section, parts: parts.map(([hash]) => hash) }, parts: new Map(parts) };
};

/** Whether the section of this name may be an index. */
export const namesParts = (name: string): boolean => name.startsWith("space.");

const indexIn = (name: string, content: unknown): SpaceIndex | null =>
  namesParts(name) ? (spaceIndex.safeParse(content).data ?? null) : null;

/** Hashes of the parts that a section names; none of any other section. */
export const partsOf = (name: string, content: unknown): readonly string[] =>
  indexIn(name, content)?.parts ?? [];

/**
 * Sections of a state by name, each list of networks in one piece. Throws an Error when a part is missing, a zod error
 * when one breaks its schema.
 * @param contentOf content of a part by its hash; undefined: it is missing
 */
export const wholeSections = (
  sections: ReadonlyMap<string, unknown>,
  contentOf: (hash: string) => unknown,
): Map<string, unknown> =>
  new Map(
    [...sections].map(([name, content]) => {
      const index = indexIn(name, content);
      if (!index) return [name, content];
      const { parts, ...section } = index;
      const networks = parts.flatMap((hash) => {
        const part = contentOf(hash);
        if (part === undefined) throw new Error(`a part of section ${name} is missing`);
        return spacePart.parse(part).networks;
      });
      return [name, { ...section, networks }];
    }),
  );
