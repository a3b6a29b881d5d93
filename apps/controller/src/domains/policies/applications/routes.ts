import {
  applicationKinds,
  ckL7Page,
  l7Page,
} from "@weft/contract/domains/policies/applications.ts";
import type { InputOf, OutputOf, ResultOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { refuseField } from "#kernel/refuse.ts";
import rows from "./catalogue.json" with { type: "json" };

type Application = OutputOf<typeof l7Page>[number];

/** All known applications, by number (docs/data-sources.md). */
const catalogue: readonly Application[] = rows.map((row) => {
  const kind = row.kind as Application["kind"];
  return { ...row, kind, pId: applicationKinds.indexOf(kind) + 1 };
});

/** A page of those whose name, in either language, or host holds the text. Pure. */
export function pageOf({ name, page, limit }: InputOf<typeof l7Page>): ResultOf<typeof l7Page> {
  const text = (name ?? "").toLowerCase();
  const matching = catalogue.filter((application) =>
    [application.name, application.nameEn, ...application.hosts].some((part) =>
      part.toLowerCase().includes(text),
    ),
  );
  return { rows: matching.slice((page - 1) * limit, page * limit), count: matching.length };
}

const known = new Set(catalogue.map(({ id }) => id));

/** Refuses a field that names an application which the catalogue does not have. */
export function requireKnown(ids: readonly string[], field: string): void {
  if (!ids.every((id) => known.has(Number(id)))) refuseField(field, "unknown");
}

const hosts: ReadonlyMap<number, readonly string[]> = new Map(
  catalogue.map((application) => [application.id, application.hosts]),
);

/** Names by which applications are reached; one that the catalogue lost has none. */
export const hostsOf = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => hosts.get(Number(id)) ?? [])),
];

/** GET /customer/common/L7page and /customer/ckcommon/L7page (specification section 7.2). */
export function applicationRoutes(app: FastifyInstance): void {
  mount(app, l7Page, (input) => pageOf(input));
  mount(app, ckL7Page, (input) => pageOf(input));
}
