/** Sections of a state as they are named, stored and sent. Pure. */
import { createHash } from "node:crypto";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { maxSectionBytes } from "@weft/contract/device/v1/messages.ts";
import { type SectionFormat, sectionKind } from "@weft/contract/device/v1/sections.ts";
import { divideSpace, type SpaceSection } from "@weft/contract/device/v1/space.ts";
import type { NewContent } from "#domains/delivery/contents/public.ts";
import { SectionTooLarge } from "./compile-failure.ts";

const sha256OfText = (text: string): string => createHash("sha256").update(text).digest("hex");

export const sha256 = (value: unknown): string => sha256OfText(canonicalJson(value));

/**
 * A section of a node of its own, with the one text that it is stored and sent in.
 * @throws SectionTooLarge: it could never travel, and is better not written
 */
export function sectionText(name: string, content: unknown): NewContent {
  const text = canonicalJson(content);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxSectionBytes) throw new SectionTooLarge(name, bytes, maxSectionBytes);
  return { name, hash: sha256OfText(text), text };
}

/**
 * Sections of spaces that were stored, by their list of networks, which nodes that are compiled together share: it is
 * hashed once for all of them.
 */
const storedLists = new WeakMap<readonly string[], Map<string, NewContent>>();

/** A section as it is stored and sent. */
export function storedAs(name: string, content: unknown, format: SectionFormat): NewContent {
  if (sectionKind(name) !== "space") return sectionText(name, content);
  const space = content as SpaceSection;
  const dividesNetworks = format.has("space");
  const key = `${name} ${space.netns} ${dividesNetworks}`;
  const stored = storedLists.get(space.networks) ?? new Map<string, NewContent>();
  storedLists.set(space.networks, stored);
  const newContent = stored.get(key) ?? storedSpace(name, space, dividesNetworks);
  stored.set(key, newContent);
  return newContent;
}

function storedSpace(name: string, space: SpaceSection, isDivided: boolean): NewContent {
  if (!isDivided) return sectionText(name, space);
  const parts = new Map<string, string>();
  const { index } = divideSpace(space, (part) => {
    const text = canonicalJson(part);
    const hash = sha256OfText(text);
    parts.set(hash, text);
    return hash;
  });
  return { ...sectionText(name, index), parts };
}
