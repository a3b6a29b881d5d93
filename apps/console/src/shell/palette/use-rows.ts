import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { CallError } from "#client/call.ts";
import { paths } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { type Called, useCall } from "#client/use-call.ts";
import { healthState, type WithHealth } from "#domains/devices/parts/node/health.ts";
import { type NodeTexts, useNodeTexts } from "#domains/devices/parts/node/node-texts.ts";
import type { Choice } from "./choice.ts";
import { hasScreen } from "./screens.ts";
import { useDebounced } from "./use-debounced.ts";

/** ms without a key before the server is asked. */
const pauseMs = 200;
/** Rows of each kind. */
export const maxRows = 5;

const page = { page: 1, limit: maxRows, orderByColumn: null, isAsc: null } as const;

/** The notification panel gave these two values a meaning of their own (section 2.6). */
const isState = (text: string): boolean => text === "4" || text === "5";

/** Kinds of rows that the user may search: those whose list is in their menus. */
const useWanted = () => {
  const { menus } = useSession();
  return {
    cpe: hasScreen(menus, paths.cpe()),
    pop: hasScreen(menus, paths.pop()),
    enterprise: hasScreen(menus, paths.enterprise()),
  };
};

interface Node extends WithHealth {
  readonly id: number;
  readonly sn: string;
  readonly enterpriseName: string;
}

const nodeChoice = (kind: "cpe" | "pop", node: Node, title: string, t: NodeTexts) => {
  const { glyph, label } = healthState(node, t);
  const note = [label, node.sn, node.enterpriseName];
  return { id: `${kind}:${node.id}`, kind, title, other: "", note: note.join(" · "), glyph };
};

export interface Rows {
  readonly choices: readonly Omit<Choice, "run">[];
  /** Not all answers to this text are there. */
  readonly isSearching: boolean;
  /** The first of the searches that failed. */
  readonly error: CallError | null;
  retry(): void;
}

/** Enterprises, CPEs and POPs of the person's data scope that a text (trimmed) finds. */
export const useRows = (text: string): Rows => {
  const t = useNodeTexts();
  const wanted = useWanted();
  const asked = useDebounced(text, pauseMs);
  const isAsked = asked !== "";
  const named = isState(asked) ? { label: asked, key: null } : { label: null, key: asked };
  const other = { groupid: null, linkStatus: null, tone: null };
  const cpes = useCall(
    cpe.ops.list,
    isAsked && wanted.cpe
      ? { ...page, ...other, areaId: null, alias: named.label, key: named.key }
      : null,
    { keep: true },
  );
  const pops = useCall(
    pop.ops.list,
    isAsked && wanted.pop ? { ...page, ...other, name: named.label, key: named.key } : null,
    { keep: true },
  );
  const no = { enterpriseType: null, parentId: null, isAgent: null, enable: null };
  const enterprises = useCall(
    enterprise.ops.list,
    isAsked && wanted.enterprise ? { ...page, ...no, name: asked } : null,
    { keep: true },
  );
  const all: readonly Called<never>[] = [cpes, pops, enterprises] as never;
  const failed = all.filter(({ error }) => error !== null);
  return {
    choices: [
      ...(cpes.data ?? []).map((row) => nodeChoice("cpe", row, row.alias, t)),
      ...(pops.data ?? []).map((row) => nodeChoice("pop", row, row.name, t)),
      ...(enterprises.data ?? []).map(({ groupid, name, parentName }) => ({
        ...{ id: `enterprise:${groupid}`, kind: "enterprise" as const },
        ...{ title: name, other: "", note: parentName ?? "" },
      })),
    ],
    isSearching: asked !== text || all.some((one) => one.isFirstLoad || one.isRefetching),
    error: asked === text ? (failed[0]?.error ?? null) : null,
    retry: () => {
      for (const one of failed) one.refetch();
    },
  };
};
