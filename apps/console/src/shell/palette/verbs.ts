/** Where a found row leads: its own page first, then what operators do with it. */
import type { FoundKind } from "@weft/contract/domains/monitoring/search.ts";
import { paths, withSearch } from "#client/paths.ts";

/** A thing to do with a row, by the key of its text. */
export type VerbKey =
  | "open"
  | "configure"
  | "sites"
  | "links"
  | "report"
  | "logs"
  | "alarms"
  | "changes";

export type Verb = readonly [key: VerbKey, path: string];

interface Found {
  readonly id: number;
  readonly title: string;
}

const alarmsOf = (name: string): Verb => ["alarms", withSearch(paths.alarms(), { name })];
const changesOf = (params: Readonly<Record<string, number>>): Verb => [
  "changes",
  withSearch(paths.operaRecord(), params),
];

/** The first opens the row itself. */
export const verbs: Readonly<
  Record<FoundKind, (row: Found) => readonly [Verb, ...(readonly Verb[])]>
> = {
  cpe: ({ id, title }) => [
    ["open", paths.cpeDetail(id)],
    ["configure", paths.cpeSet(id)],
    ["logs", paths.nodeLog("cpe", id)],
    ["links", paths.cpeNeighbor(id)],
    alarmsOf(title),
    changesOf({ nodeId: id }),
  ],
  pop: ({ id, title }) => [
    ["open", paths.popDetail(id)],
    ["configure", paths.popSet(id)],
    ["logs", paths.nodeLog("pop", id)],
    alarmsOf(title),
    changesOf({ nodeId: id }),
  ],
  enterprise: ({ id }) => [
    ["open", paths.enterprisePage(id)],
    ["sites", paths.enterprisePage(id, "sites")],
    ["report", paths.enterpriseReport(id)],
    changesOf({ groupid: id }),
  ],
  account: ({ id, title }) => [
    ["open", withSearch(paths.account(), { alias: title })],
    ["report", paths.accountReport(id)],
  ],
  netSpace: ({ title }) => [
    ["open", withSearch(paths.netSpace(), { name: title })],
    ["links", paths.links()],
  ],
  template: ({ id }) => [["open", paths.templateSection(id)], changesOf({ templateId: id })],
  alarm: ({ title }) => [["open", withSearch(paths.alarms(), { name: title, active: 1 })]],
};
