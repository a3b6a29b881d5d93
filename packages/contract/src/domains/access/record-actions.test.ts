import { describe, expect, test } from "vitest";
import { allEndpoints } from "#contract/all-endpoints.ts";
import { placeholdersOf } from "#kernel/message.ts";
import { recordKinds } from "./enums.ts";
import { actionPart, actionsOfKind, recordActionOf, recordActions } from "./record-actions.ts";

/** Calls that leave a row of the log: those that act, and exports, which say who took what. */
const recorded = allEndpoints
  .filter(({ id, method, acts }) => method === "POST" || acts || actionPart(id) === "export")
  .map(({ id }) => id);

/** What is written down without a call: devices at the gateway, commands of the installation, steps of the worker. */
const withoutCall = [
  "edge.enrol",
  "edge.enrolRefused",
  "edge.quarantine",
  "edge.pin",
  "installation.rotateKey",
  "installation.prepareKey",
  "installation.cancelKey",
  "installation.activateKey",
  "installation.restore",
  "rollout.step",
  "rollout.askForWave",
  "rollout.failWave",
  "rollout.completeWaves",
  "routerTemplateTarget.takeIn",
];

describe("sentences of the operation log", () => {
  test("are there for every call that leaves a row of it", () => {
    expect(recorded.length).toBeGreaterThan(300);
    const nameless = [...recorded, ...withoutCall].filter((id) => recordActionOf(id) === null);
    expect(nameless, "give it a sentence in record-actions.ts").toEqual([]);
  });

  test("are there for nothing else", () => {
    const written = new Set([...recorded, ...withoutCall].map(actionPart));
    expect(Object.keys(recordActions).filter((part) => !written.has(part))).toEqual([]);
  });

  test.each(Object.entries(recordActions))(
    "%s has the same placeholders in both languages",
    (_, entry) => {
      const [, zh, en] = entry;
      expect(placeholdersOf(en).sort()).toEqual(placeholdersOf(zh).sort());
    },
  );

  test("every kind has calls, and they are of that kind", () => {
    for (const kind of recordKinds) {
      const parts = actionsOfKind(kind);
      expect(parts.length, kind).toBeGreaterThan(0);
      expect(new Set(parts.map((part) => recordActionOf(`any.${part}`)?.kind))).toEqual(
        new Set([kind]),
      );
    }
  });
});
