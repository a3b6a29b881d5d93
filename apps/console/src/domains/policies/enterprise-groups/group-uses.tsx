import type {
  GroupUsers,
  GroupUses,
} from "@weft/contract/domains/policies/enterprise-group-fields.ts";
import {
  ipgroupPreview,
  ipgroupUses,
} from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import {
  urlgroupPreview,
  urlgroupUses,
} from "@weft/contract/domains/policies/enterprise-url-group.ts";
import { checkMemory } from "@weft/contract/kernel/rule.ts";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import type { Column } from "#kernel/list/columns.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { Rows } from "#ui/rows.tsx";
import { textWidth } from "#ui/text-width.ts";
import { useNarrow } from "#ui/use-narrow.ts";
import { type GroupTexts, useGroupTexts } from "./messages.ts";

export type GroupKind = "ip" | "url";
type UsesCall = typeof ipgroupUses | typeof urlgroupUses;
type PreviewCall = typeof ipgroupPreview | typeof urlgroupPreview;

type Calls = {
  readonly uses: UsesCall;
  readonly preview: PreviewCall;
};

/** The calls of each kind of group. */
const callsOf: Readonly<Record<GroupKind, Calls>> = {
  ip: { uses: ipgroupUses, preview: ipgroupPreview },
  url: { uses: urlgroupUses, preview: urlgroupPreview },
};

/** Names in a sentence: those after them are counted. */
const maxNames = 5;

/** Who takes the members of the groups of a list, by the id of the group. */
export function useUsesOf(
  kind: GroupKind,
  rows: readonly { readonly id: number }[],
): ReadonlyMap<number, GroupUses> {
  const ids = rows.map(({ id }) => id);
  const { data = [] } = useCall(callsOf[kind].uses, ids.length === 0 ? null : { ids }, {
    every: refreshEvery,
    keep: true,
  });
  return new Map(data.map((uses) => [uses.id, uses]));
}

const countText = ({ nodeCount, templateCount }: GroupUses, t: GroupTexts): string =>
  t.list([
    ...(nodeCount > 0 ? [t("objectGroup.nodes", { count: nodeCount })] : []),
    ...(templateCount > 0 ? [t("objectGroup.templates", { count: templateCount })] : []),
  ]) || t("objectGroup.notUsed");

/** The devices of a sentence: those that are named, and how many there are. */
const nodesText = ({ nodes, nodeCount }: GroupUsers, t: GroupTexts): string => {
  const names = nodes.map(({ name }) => name);
  return nodeCount > maxNames
    ? t("objectGroup.named", { names: t.list(names.slice(0, maxNames)), count: nodeCount })
    : t.list(names);
};

/** How many devices and templates use a group, and the way to their names. */
export const usesColumn = <Row extends { readonly id: number; readonly name: string }>(
  t: GroupTexts,
  uses: ReadonlyMap<number, GroupUses>,
  open: (row: Row) => void,
): Column<Row> => {
  const textOf = ({ id }: Row): string => {
    const known = uses.get(id);
    return known ? countText(known, t) : t("objectGroup.loading");
  };
  return {
    key: "usedBy",
    title: t("objectGroup.usedBy"),
    width: 176,
    need: (row) => textWidth(textOf(row)),
    cell: (row) => {
      const known = uses.get(row.id);
      const isUsed = known !== undefined && known.nodeCount + known.templateCount > 0;
      if (!isUsed) return <span className="w-quiet">{textOf(row)}</span>;
      return (
        <button
          type="button"
          className="w-link-button"
          aria-label={`${t("objectGroup.users", { name: row.name })}: ${textOf(row)}`}
          onClick={() => open(row)}
        >
          {textOf(row)}
        </button>
      );
    },
  };
};

interface UsersProps {
  readonly kind: GroupKind;
  readonly name: string;
  /** undefined: not known yet. */
  readonly uses: GroupUses | undefined;
  readonly onClose: () => void;
}

/** All that uses a group, with the page of each. */
export function UsersDrawer({ kind, name, uses, onClose }: UsersProps) {
  const t = useGroupTexts();
  const isNarrow = useNarrow();
  const section = kind === "ip" ? "ipGroup" : "urlGroup";
  return (
    <Drawer
      open
      size={isNarrow ? "100%" : 480}
      title={t("objectGroup.users", { name })}
      onClose={onClose}
    >
      <p className="w-quiet">{t("objectGroup.usersHelp")}</p>
      {uses && uses.nodeCount > 0 && (
        <Users
          title={t("objectGroup.nodesTitle")}
          count={uses.nodeCount}
          links={uses.nodes.map(({ id, kind: of, name: text }) => ({
            key: `${of} ${id}`,
            text,
            to: of === "cpe" ? paths.cpeDetail(id) : paths.popDetail(id),
          }))}
        />
      )}
      {uses && uses.templateCount > 0 && (
        <Users
          title={t("objectGroup.templatesTitle")}
          count={uses.templateCount}
          links={uses.templates.map(({ id, name: text }) => ({
            key: `template ${id}`,
            text,
            to: paths.templateSection(id, section),
          }))}
        />
      )}
    </Drawer>
  );
}

interface UsersListProps {
  readonly title: string;
  /** How many there are, those that are not named as well. */
  readonly count: number;
  readonly links: readonly { readonly key: string; readonly text: string; readonly to: string }[];
}

function Users({ title, count, links }: UsersListProps) {
  const t = useGroupTexts();
  const left = count - links.length;
  return (
    <section aria-label={title}>
      <h3>
        {title} <span className="w-quiet">{count}</span>
      </h3>
      <Rows>
        {links.map(({ key, text, to }) => (
          <li key={key}>
            <Link className="w-link" to={to}>
              {text}
            </Link>
          </li>
        ))}
      </Rows>
      {left > 0 && <p className="w-quiet">{t("objectGroup.andMore", { count: left })}</p>}
    </section>
  );
}

interface GroupDraft {
  readonly name: string;
  readonly groupid: number | null;
  readonly share?: boolean;
}

/** ms after the last key before the devices of a name are asked for. */
const typingMs = 400;

/** A value once it has not changed for a while: a name that is being typed is not asked about letter by letter. */
function useUnchanged<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}

/** In the form of a group: which devices take it as it is saved, and which no longer do. */
export function SavingReach({
  kind,
  id,
}: {
  readonly kind: GroupKind;
  readonly id: number | null;
}) {
  const t = useGroupTexts();
  const { name, groupid = null, share = false } = useDraftValues<Partial<GroupDraft>>();
  const rested = useUnchanged(name ?? "");
  const { uses, preview } = callsOf[kind];
  const isNamed = rested !== "" && checkMemory(preview.input.shape.name, rested).ok;
  const after = useCall(preview, isNamed ? { id, name: rested, groupid, share } : null, {
    keep: true,
  }).data;
  const [before] = useCall(uses, id === null ? null : { ids: [id] }).data ?? [];
  if (!isNamed || !after) return null;
  const lost =
    before?.nodes.filter((node) => !after.nodes.some((other) => other.id === node.id)) ?? [];
  // Of more than are named not all are compared.
  const isComplete = after.nodes.length === after.nodeCount;
  return (
    <div role="status">
      <p className="w-quiet">
        {after.nodeCount === 0
          ? t("objectGroup.noneTakes")
          : t("objectGroup.willDeploy", { nodes: nodesText(after, t) })}
      </p>
      {isComplete && lost.length > 0 && (
        <p>{t("objectGroup.willLose", { nodes: t.list(lost.map((node) => node.name)) })}</p>
      )}
    </div>
  );
}

/** Of a removal: which devices and templates lose the members. */
export function RemovalReach({ kind, id }: { readonly kind: GroupKind; readonly id: number }) {
  const t = useGroupTexts();
  const { data } = useCall(callsOf[kind].uses, { ids: [id] });
  const [uses] = data ?? [];
  if (!uses) return <p className="w-quiet">{t("objectGroup.loading")}</p>;
  if (uses.nodeCount + uses.templateCount === 0) return <p>{t("objectGroup.removeUnused")}</p>;
  const names = t.list(uses.templates.map(({ name }) => name));
  return (
    <>
      {uses.nodeCount > 0 && <p>{t("objectGroup.removeUsed", { nodes: nodesText(uses, t) })}</p>}
      {uses.templateCount > 0 && <p>{t("objectGroup.removeTemplates", { names })}</p>}
    </>
  );
}
