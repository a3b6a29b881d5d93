import { expect, test } from "vitest";
import { CommandFailed, type Run } from "./exec.ts";
import { ensureNetns } from "./netns.ts";
import { ObjectsRefused } from "./refusals.ts";

/** A kernel that makes no more namespaces. */
const full: Run = async (argv) => {
  if (argv.join(" ").startsWith("ip netns add"))
    throw new CommandFailed(argv, 1, {
      stdout: "",
      stderr: "Failed to create a new network namespace",
    });
  return "";
};

test("a space is refused with its namespace", async () => {
  const error: unknown = await ensureNetns(full, "weft-s999999").catch(
    (refused: unknown) => refused,
  );
  expect(error).toBeInstanceOf(ObjectsRefused);
  expect((error as ObjectsRefused).refused).toEqual([
    {
      about: { section: "routing.999999", kind: "space", object: "999999" },
      why: "Failed to create a new network namespace",
    },
  ]);
});
