/** What one edit of a POP's long lists stores and sends: in one section each, and in parts (ADR 0018). */
import { createHash } from "node:crypto";
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { SectionFormat } from "@weft/contract/device/v1/sections.ts";
import { type DesiredState, toSections } from "@weft/contract/device/v1/state.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";

const accounts = 10_000;
const blocked = 5_000;

const sha256 = (text: string) => createHash("sha256").update(text).digest();
const addressOf = (prefix: number, at: number) =>
  `${prefix}.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;

const peerOf = (id: number, down: number | null) => ({
  id,
  publicKey: sha256(String(id)).toString("base64"),
  address: addressOf(10, id),
  down,
  up: null,
  until: null,
});

/** A blocked address is a rule to it, and one from it. */
const rulesOf = (at: number): AclRuleState[] => {
  const one = `${addressOf(203, at)}/32`;
  const rule = { action: "drop", protocol: "any", sourcePort: null, targetPort: null } as const;
  return [
    { ...rule, mac: null, source: one, target: null },
    { ...rule, mac: null, source: null, target: one },
  ];
};

/** A POP with these bit/s for one account, and without one of the blocked addresses. */
const stateOf = (down: number | null, without: number): DesiredState => ({
  node: { nodeId: 1, kind: "pop", hostname: "pop", routerId: "100.96.0.1" },
  underlay: { lines: [], lans: [] },
  static: { routes: [] },
  firewall: {
    wan: [],
    tunnelPorts: [],
    acl: [...Array(blocked).keys()].filter((at) => at !== without).flatMap(rulesOf),
  },
  tunnels: [],
  routings: [],
  clients: [
    {
      spaceId: 3,
      netns: "weft-s3",
      interfaceName: "wm3",
      listenPort: 50_000,
      slot: 1,
      mtu: 1_400,
      address: "10.255.0.1/8",
      peers: [...Array(accounts).keys()].map((at) => peerOf(at + 1, at === 76 ? down : null)),
    },
  ],
});

/** Bytes of the sections that the second state has and the first one lacks. */
function newBytes(before: DesiredState, after: DesiredState, format: SectionFormat): number {
  const texts = (state: DesiredState) => [...toSections(state, format).values()].map(canonicalJson);
  const known = new Set(texts(before));
  return texts(after)
    .filter((text) => !known.has(text))
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** 1, 2, 3: both sides of a round edit the same row. */
const counter = () => {
  let at = 0;
  return (): number => {
    at += 1;
    return at;
  };
};

const inParts: SectionFormat = new Set(["client", "firewall", "underlay"]);

export async function* sectionBytes(): AsyncIterable<Result> {
  const before = stateOf(null, -1);
  const edits = [
    {
      what: `one of ${accounts.toLocaleString("en")} accounts of a POP`,
      after: (at: number) => stateOf(at, -1),
    },
    {
      what: `one of ${blocked.toLocaleString("en")} blocked addresses`,
      after: (at: number) => stateOf(null, at * 911),
    },
  ];
  for (const { what, after } of edits) {
    const [whole, parts] = [counter(), counter()];
    const rounds = await alternate(
      async () => newBytes(before, after(whole()), new Set<never>()) / 1_000,
      async () => newBytes(before, after(parts()), inParts) / 1_000,
    );
    const names = {
      bench: "sections",
      what: `bytes that an edit of ${what} stores and sends`,
      yardstick: "in one section",
      unit: "kB",
    };
    yield ratioResult(names, summarise(rounds), defaultRounds, { atMost: 0.1 });
  }
}
