/** Which role a group of an identity provider gives. */
import { z } from "zod";
import { failsWith } from "#kernel/rule.ts";

/** A group as the provider calls it, and the role that its members get. */
export interface GroupRole {
  readonly group: string;
  readonly roleId: number;
}

const maxEntries = 200;
const maxGroup = 255;

const isEntry = ({ group, roleId }: GroupRole): boolean =>
  group !== "" && group.length <= maxGroup && Number.isSafeInteger(roleId) && roleId > 0;

const read = (line: string): GroupRole => {
  const [, roleId = "", group = ""] = /^\s*(\d+)\s+(.*?)\s*$/.exec(line) ?? [];
  return { group, roleId: Number(roleId) };
};

/** On the wire one line for each: id of the role, a blank, the group. Names of groups may have blanks and commas. */
export const roleMap = z.codec(
  z.union([z.string(), z.array(z.object({ group: z.string(), roleId: z.number() }))]),
  z
    .custom<GroupRole[]>(
      (value) => Array.isArray(value) && value.every(isEntry),
      failsWith("unreadable"),
    )
    .refine((list) => list.length <= maxEntries, failsWith("tooMany", { max: maxEntries })),
  {
    decode: (value) =>
      Array.isArray(value)
        ? value.map(({ group, roleId }) => ({ group: group.trim(), roleId }))
        : value
            .split("\n")
            .filter((line) => line.trim() !== "")
            .map(read),
    encode: (value) =>
      Array.isArray(value)
        ? value.map((groupRole) => `${groupRole.roleId} ${groupRole.group}`).join("\n")
        : value,
  },
);
