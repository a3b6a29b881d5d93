import { type Topology, topologies, topology } from "@weft/contract/domains/devices/enums.ts";
import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import { netSpace, netSpaceCandidates } from "@weft/contract/domains/overlay/net-space.ts";
import { useId } from "react";
import { useOpened } from "#client/opened.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import {
  enterpriseColumn,
  filtersBeside,
  fixedTo,
  type OfEnterprise,
} from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { Failed, Loading, type NextStep } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { MemberPicker } from "./member-picker.tsx";
import {
  type SpaceDraft,
  type SpaceRow,
  type SpaceTexts,
  useSpaceTexts,
} from "./net-space-texts.ts";
import styles from "./topology-choice.module.css";

interface Point {
  readonly x: number;
  readonly y: number;
}

const hubs: readonly Point[] = [
  { x: 48, y: 32 },
  { x: 72, y: 32 },
];
const spokes: readonly Point[] = [
  { x: 14, y: 12 },
  { x: 106, y: 12 },
  { x: 14, y: 52 },
  { x: 106, y: 52 },
];

const pairs = (points: readonly Point[]): (readonly [Point, Point])[] =>
  points.flatMap((point, index) => points.slice(index + 1).map((other) => [point, other] as const));

const toHubs = spokes.flatMap((spoke) => hubs.map((hub) => [spoke, hub] as const));

interface TopologyPictureProps {
  readonly shape: Topology;
  /** What the drawing shows, for who cannot see it. */
  readonly label: string;
}

/** A still drawing of who links to whom: POPs are squares in the middle, CPEs round. */
function TopologyPicture({ shape, label }: TopologyPictureProps) {
  const edges = [...toHubs, ...(shape === topology.fullMesh ? pairs(spokes) : [])];
  return (
    <svg width={120} height={64} viewBox="0 0 120 64" role="img" aria-label={label}>
      <g stroke="currentColor" strokeOpacity={0.55}>
        {edges.map(([from, to]) => (
          <line
            key={`${from.x},${from.y}-${to.x},${to.y}`}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
          />
        ))}
      </g>
      <g fill="currentColor">
        {hubs.map(({ x, y }) => (
          <rect key={x} x={x - 6} y={y - 6} width={12} height={12} rx={2} />
        ))}
        {spokes.map(({ x, y }) => (
          <circle key={`${x},${y}`} cx={x} cy={y} r={5} />
        ))}
      </g>
    </svg>
  );
}

interface TopologyChoiceProps {
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** The shape of a space: a drawing, its name and what it means in a line. */
function TopologyChoice({ value, onChange }: TopologyChoiceProps) {
  const t = useSpaceTexts();
  const group = useId();
  return (
    <div className={styles.choices} role="radiogroup">
      {topologies.map((shape) => {
        const isMesh = shape === topology.fullMesh;
        return (
          <label key={shape} className={styles.choice}>
            <TopologyPicture
              shape={shape}
              label={t(isMesh ? "space.meshPicture" : "space.starPicture")}
            />
            <span>
              <span className={styles.name}>
                <input
                  type="radio"
                  name={group}
                  checked={value === shape}
                  onChange={() => onChange(shape)}
                />
                {t.code("topology", shape)}
              </span>
              <span className={styles.help}>{t(isMesh ? "space.mesh" : "space.star")}</span>
            </span>
          </label>
        );
      })}
    </div>
  );
}

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: SpaceRow | null;
  readonly groupid: number | null;
  readonly onClose: () => void;
}

const newSpace = (groupid: number | null): Partial<SpaceDraft> => ({
  name: "",
  ...(groupid !== null && { groupid }),
  topology: 0,
  popIds: [],
  cpeIds: [],
  remark: "",
});

/** The one form of a space: whose, which shape, which nodes. */
function NetSpaceForm({ open, row, groupid, onClose }: Props) {
  const t = useSpaceTexts();
  return (
    <ResourceForm
      resource={netSpace}
      open={open}
      row={row}
      title={row ? t("space.editOf", { name: row.name }) : t("space.add")}
      initial={newSpace(groupid)}
      width={720}
      saved={t("space.saved")}
      touches={["link", "cpe", "pop", "nodeState"]}
      onClose={onClose}
    >
      <FieldRow>
        <Field name="name" />
        <Field
          name="groupid"
          kind={EnterpriseControl}
          help={t("space.groupidHelp")}
          disabled={row !== null && t("space.groupFixed")}
        />
      </FieldRow>
      <Field name="topology">
        {(control) => <TopologyChoice value={control.value as number} onChange={control.set} />}
      </Field>
      <Members netSpaceId={row?.id ?? null} />
      <Field name="remark" />
    </ResourceForm>
  );
}

/** Which nodes may be taken depends on the enterprise. */
function Members({ netSpaceId }: { readonly netSpaceId: number | null }) {
  const t = useSpaceTexts();
  const { groupid, popIds = [], cpeIds = [] } = useDraftValues<Partial<SpaceDraft>>();
  const result = useCall(netSpaceCandidates, groupid ? { groupid, netSpaceId } : null);
  if (!groupid) return <p className="w-quiet">{t("space.pickGroup")}</p>;
  if (result.error && !result.data) return <Failed error={result.error} retry={result.refetch} />;
  if (!result.data) return <Loading rows={4} />;
  const { pops, cpes } = result.data;
  return (
    <>
      <FieldRow key={groupid}>
        <Field name="popIds" label="">
          {(control) => (
            <MemberPicker
              label={t("space.pops")}
              candidates={pops.map((pop) => ({ ...pop, taken: null }))}
              value={control.value as number[]}
              onChange={control.set}
              empty={t("space.noPops")}
            />
          )}
        </Field>
        <Field name="cpeIds" label="">
          {(control) => (
            <MemberPicker
              label={t("space.cpes")}
              candidates={cpes}
              value={control.value as number[]}
              onChange={control.set}
              empty={t("space.noCpes")}
            />
          )}
        </Field>
      </FieldRow>
      <p className="w-quiet">{t("space.planned", { pops: popIds.length, cpes: cpeIds.length })}</p>
    </>
  );
}

/** Isolated overlays, each of one enterprise (section 2.3). */
export function NetSpaceList({ groupid: fixed }: OfEnterprise) {
  const t = useSpaceTexts();
  const list = useResourceList(netSpace, { every: refreshEvery, fixed: fixedTo(fixed) });
  const { opened, open, close } = useOpened();
  const actions = useSpaceActions(t, open);
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("space.add"), may: "netSpaceAdd" as const, run: () => open("add") };
  const empty = useFirstRun(t, add);
  // With nothing there yet, the one button is where the rows would be.
  const isBare = list.count === 0 && list.activeFilters === 0;
  return (
    <ListPage
      title={t("space.title")}
      list={list}
      rowKey="id"
      columns={spaceColumns(t)}
      filters={filtersBeside(fixed, [
        { key: "name", kind: "text", label: t("space.search") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ])}
      {...((!isBare || empty.action !== add) && { add })}
      actions={actions}
      empty={empty}
    >
      <NetSpaceForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        groupid={fixed ?? list.filters.groupid}
        onClose={close}
      />
    </ListPage>
  );
}

/** The way of a new installation: a space joins what has to be there before. */
function useFirstRun(t: SpaceTexts, add: NextStep): { text: string; action?: NextStep } {
  const may = useMay();
  const { data: numbers } = useCall(consoleNumbers, {});
  const text = t("space.empty");
  if (numbers?.pop === 0) return { text, action: { label: t("space.toPop"), to: paths.pop() } };
  if (numbers?.cpe === 0) return { text, action: { label: t("space.toCpe"), to: paths.cpe() } };
  return { text, ...(may("netSpaceAdd") && { action: add }) };
}

const linksGlyph = ({ links, linksUp }: SpaceRow): Glyph =>
  linksUp === links ? "ok" : linksUp === 0 ? "bad" : "warn";

const spaceColumns = (t: SpaceTexts): Column<SpaceRow>[] => [
  {
    key: "linksUp",
    title: t("space.linksUp"),
    width: 104,
    cell: (row) =>
      row.links === 0 ? (
        <Missing reason={t("space.linksEmpty")} />
      ) : (
        <span className="w-state">
          <StatusGlyph glyph={linksGlyph(row)} />
          {row.linksUp}/{row.links}
        </span>
      ),
  },
  nameColumn(
    "name",
    t.field("name"),
    (row: SpaceRow) => ({
      text: row.name,
      to: withSearch(paths.links(), { netSpaceId: row.id }),
    }),
    { sort: true },
  ),
  enterpriseColumn<SpaceRow>(t.field("enterpriseName")),
  textColumn("topology", t.field("topology"), (row: SpaceRow) => t.code("topology", row.topology)),
  numberColumn("pops", t("space.pops"), (row: SpaceRow) => row.popIds.length),
  numberColumn("cpes", t("space.cpes"), (row: SpaceRow) => row.cpeIds.length),
  textColumn("remark", t.field("remark"), (row: SpaceRow) => row.remark || null),
  timeColumn("createTime", t.field("createTime"), (row: SpaceRow) => row.createTime, {
    sort: true,
  }),
];

function useSpaceActions(t: SpaceTexts, open: (what: string, id?: number) => void) {
  const remove = useRemove(netSpace, {
    title: ([row]) => t("space.removeTitle", { name: row.name }),
    body: ([row]) => t("space.removeBody", { cpes: row.cpeIds.length, links: row.links }),
    typed: ([row]) => (row.links > 0 ? row.name : null),
    touches: ["link", "cpe", "pop", "nodeState"],
  });
  return (row: SpaceRow): RowAction[] => [
    {
      key: "links",
      label: t("space.links"),
      to: withSearch(paths.links(), { netSpaceId: row.id }),
    },
    { key: "edit", label: t("space.edit"), may: "netSpaceEdit", run: () => open("edit", row.id) },
    {
      key: "remove",
      label: t("space.remove"),
      may: "netSpaceRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
}
