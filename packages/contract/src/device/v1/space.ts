/**
 * The networks of a space, whole and in parts (docs/adr/0037-space-networks.md): in parts the section `space.<space>` is
 * an index, which names parts of the list by their hashes, so that one network more or less makes one new part. Pure.
 */
import { z } from "zod";
import { inChunks } from "#contract/device/v1/buckets.ts";
import { defineSection, fixed } from "#contract/device/v1/section.ts";
import { netns, sha256Hex } from "#contract/device/v1/text.ts";
import { ipCidr } from "#rules/address.ts";

/** An edge with this capability reads the networks of a space in parts. */
export const networkPartsCapability = "state.networkParts";

/**
 * A space that the node is a member of, with or without a link. Every network of it, the node's own
 * as well, is unreachable beneath what the overlay knows: without a tunnel it goes nowhere, in clear
 * least of all.
 */
export const spaceSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  networks: z.array(ipCidr).max(65_536),
});
export type SpaceSection = z.output<typeof spaceSection>;

/** Its parts are divided by hash, where sections are stored: states have the list in one piece. */
export const spaceDeclaration = defineSection(spaceSection, {
  occurs: "perSpace",
  list: "spaces",
  isOptional: true,
  dividedFor: networkPartsCapability,
  limits: { networks: { rows: "spaceNetworks" } },
  fields: {
    spaceId: fixed,
    netns: fixed,
    // One that is lost by mistake would leave by a line in clear.
    networks: { list: { kind: "spaceNetwork", key: [] }, removal: "prefix", restored: "present" },
  },
});

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
 * Of each new part of a list the one that was in its place, between what both lists begin and end with.
 * @returns hashes: the new part, the one before
 */
export const replacedParts = (
  was: readonly string[],
  is: readonly string[],
): (readonly [part: string, before: string])[] => {
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const gone = was.slice(start, was.length - end);
  return is.slice(start, is.length - end).flatMap((part, at) => {
    const before = gone[Math.min(at, gone.length - 1)];
    return before === undefined || before === part ? [] : [[part, before] as const];
  });
};

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
