import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import { topAllInfo } from "@weft/contract/domains/overlay/topology.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import Select from "antd/es/select";
import Switch from "antd/es/switch";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { paths, useNumberParam } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { excessText } from "#domains/devices/parts/node/excess.ts";
import { healthSentence } from "#domains/devices/parts/node/health.ts";
import { linkColumns } from "#domains/devices/parts/node/link-columns.tsx";
import { byTrouble } from "#domains/devices/parts/node/link-end.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import type { NodeTexts } from "#domains/devices/parts/node/node-texts.ts";
import { ToneCounts } from "#domains/devices/parts/node/tone-counts.tsx";
import { AsOf } from "#feedback/as-of.tsx";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { healthMessages } from "#parts/health/messages.ts";
import { Card } from "#ui/card.tsx";
import { PageHead } from "#ui/page-head.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import {
  canvas,
  type Drawing,
  draw,
  type Edge,
  type EdgeState,
  narrowed,
  type Picture,
  type Spot,
  type TopLink,
  type TopNode,
  toneOfSpot,
  tonesOf,
} from "./layout.ts";
import styles from "./topology.module.css";

const topologyMessages = defineMessages({
  "topology.title": ["拓扑", "Topology"],
  "topology.search": ["节点名称", "Node name"],
  "topology.enterprise": ["所属企业", "Enterprise"],
  "topology.trouble": ["只看异常", "Problems only"],
  "topology.picture": [
    "{nodes} 个节点、{links} 条链路的图；下面的列表内容相同",
    "Diagram of {nodes|node|nodes} and {links|link|links}; the list below contains the same",
  ],
  "topology.fold": ["{count} 台 CPE", "{count|CPE|CPEs}"],
  "topology.failed": ["{count} 异常", "{count} failed"],
  "topology.up": ["正常", "Up"],
  "topology.poor": ["质量差", "Poor quality"],
  "topology.some": ["部分中断", "Some down"],
  "topology.down": ["中断", "Down"],
  "topology.closed": ["已停用", "Disabled"],
  "topology.links": ["链路", "Links"],
  "topology.linksOf": ["{name} 的链路", "Links of {name}"],
  "topology.all": ["显示全部", "Show all"],
  "topology.more": ["在链路管理中查看全部 {count} 条", "All {count} in link management"],
  "topology.empty": [
    "还没有 CPE 或 POP。新增后在这里看到它们和它们之间的链路",
    "No CPEs or POPs yet. They and the links between them are shown here",
  ],
  "topology.good": ["没有异常的链路和节点", "All links and nodes are healthy"],
  "topology.noMatch": ["没有符合条件的节点", "No node matches"],
  "topology.noLinks": ["没有链路", "No links"],
  "topology.details": ["详情", "Details"],
});

interface Props {
  readonly drawing: Drawing;
  readonly links: number;
  /** Key of the spot that is picked; null: none. */
  readonly picked: string | null;
  readonly onPick: (spot: Spot) => void;
}

/** POPs as squares, CPEs round; lines by the state of the links between two of them. */
function TopologyPicture({ drawing, links, picked, onPick }: Props) {
  const t = useTexts(topologyMessages, nodeMessages, healthMessages);
  const nodes = drawing.spots.reduce((all, spot) => all + spot.nodes.length, 0);
  const isNear = ({ from, to }: Edge): boolean =>
    picked === null || from.key === picked || to.key === picked;
  return (
    <svg className={styles.picture} viewBox={`0 0 ${canvas.width} ${canvas.height}`}>
      <title>{t("topology.picture", { nodes, links })}</title>
      {drawing.edges.map((edge) => (
        <line
          key={edge.key}
          className={styles[edge.state] ?? ""}
          data-faint={!isNear(edge) || undefined}
          x1={edge.from.x}
          y1={edge.from.y}
          x2={edge.to.x}
          y2={edge.to.y}
        >
          <title>
            {`${edge.links.map((link) => linkText(link, t)).join("\n")}\n${t(`topology.${edge.state}`)}`}
          </title>
        </line>
      ))}
      {drawing.spots.map((spot) => (
        <SpotMark
          key={spot.key}
          spot={spot}
          isPicked={spot.key === picked}
          onPick={() => onPick(spot)}
        />
      ))}
    </svg>
  );
}

/** The link with what is wrong with it, if it is up and poor. */
const linkText = ({ name, excess }: TopLink, t: NodeTexts): string =>
  excess === null ? name : `${name}: ${excessText(excess, t)}`;

/** As lists call the node, and why. */
function stateText(node: TopNode | undefined, t: NodeTexts): string {
  const state = t(`node.health.${node?.health ?? "none"}`);
  const why = node && healthSentence({ ...node, lastOnline: null }, t);
  return why ? `${state}: ${why}` : state;
}

interface SpotProps {
  readonly spot: Spot;
  readonly isPicked: boolean;
  readonly onPick: () => void;
}

function SpotMark({ spot, isPicked, onPick }: SpotProps) {
  const t = useTexts(topologyMessages, nodeMessages, healthMessages);
  const { nodes, x, y } = spot;
  const [first] = nodes;
  const tone = toneOfSpot(spot);
  const { bad } = tonesOf(nodes);
  const isPop = first?.kind === "pop";
  const isFold = nodes.length > 1;
  const name = isFold ? t("topology.fold", { count: nodes.length }) : (first?.name ?? "");
  const state = isFold ? t("topology.failed", { count: bad }) : stateText(first, t);
  const label = tone === "ok" || (isFold && bad === 0) ? name : `${name}, ${state}`;
  const size = isPop ? 15 : isFold ? 18 : 8;
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element cannot be inside an svg
    <g
      className={styles.spot}
      role="button"
      tabIndex={0}
      aria-label={label}
      aria-pressed={isPicked}
      data-tone={tone}
      onClick={onPick}
      onKeyDown={press}
    >
      <title>{label}</title>
      {isPop ? (
        <rect x={x - size} y={y - size} width={2 * size} height={2 * size} rx={3} />
      ) : (
        <circle cx={x} cy={y} r={size} />
      )}
      <text x={x} y={y + size + 16}>
        {name}
      </text>
    </g>
  );
}

const useTopologyTexts = () => useTexts(topologyMessages, nodeMessages, healthMessages);

/** Rows of the list beside the picture; the others are in link management. */
const shownAtMost = 50;
const nothing: Picture = { nodes: [], links: [] };

/** Who is linked with whom: a drawing of our own, which needs no map and no map service. */
export default function TopologyPage() {
  const t = useTopologyTexts();
  const groupid = useNumberParam("groupid");
  const isAllowed = useMay()(topAllInfo.may);
  const input = isAllowed ? { groupid } : null;
  const result = useCall(topAllInfo, input, { every: refreshEvery, keep: true });
  const [name, setName] = useState("");
  const [onlyTrouble, setOnlyTrouble] = useState(false);
  const picture = useMemo(
    () => narrowed(result.data ?? nothing, name, onlyTrouble),
    [result.data, name, onlyTrouble],
  );
  return (
    <div className={styles.page}>
      <PageHead
        title={t("topology.title")}
        count={result.data && picture.nodes.length}
        aside={<ToneCounts counts={tonesOf(picture.nodes)} />}
        actions={
          <>
            <AsOf at={result.asOf} isOld={result.isStale} />
            <Button onClick={result.refetch}>{t("act.refresh")}</Button>
          </>
        }
      />
      {result.data ? (
        <Body
          picture={picture}
          isBare={result.data.nodes.length === 0}
          filters={{ name, setName, onlyTrouble, setOnlyTrouble }}
        />
      ) : !isAllowed ? (
        <EmptyState kind="good" text={t("page.forbiddenWhat")} />
      ) : result.error ? (
        <Failed error={result.error} retry={result.refetch} />
      ) : (
        <Loading rows={8} />
      )}
    </div>
  );
}

interface Filters {
  readonly name: string;
  setName(name: string): void;
  readonly onlyTrouble: boolean;
  setOnlyTrouble(is: boolean): void;
}

interface BodyProps {
  readonly picture: Picture;
  /** There is no node at all, whatever the filters. */
  readonly isBare: boolean;
  readonly filters: Filters;
}

function Body({ picture, isBare, filters }: BodyProps) {
  const t = useTopologyTexts();
  const isNarrow = useNarrow();
  const [picked, pick] = useState<string | null>(null);
  const drawing = useMemo(() => draw(picture), [picture]);
  const spot = drawing.spots.find(({ key }) => key === picked) ?? null;
  if (isBare) {
    const action = { label: t("node.toSpaces"), to: paths.netSpace() };
    return <EmptyState kind="first" text={t("topology.empty")} action={action} />;
  }
  const empty = filters.onlyTrouble && filters.name === "" ? "topology.good" : "topology.noMatch";
  return (
    <>
      <section className="w-card">
        <Tools filters={filters} />
        {picture.nodes.length === 0 ? (
          <EmptyState kind="good" text={t(empty)} />
        ) : (
          // Too small to be read on a phone: the list says the same.
          !isNarrow && (
            <TopologyPicture
              drawing={drawing}
              links={picture.links.length}
              picked={spot?.key ?? null}
              onPick={({ key }) => pick(key === picked ? null : key)}
            />
          )
        )}
      </section>
      <LinkList picture={picture} spot={spot} onClear={() => pick(null)} />
    </>
  );
}

const states: readonly EdgeState[] = ["down", "some", "poor", "up", "closed"];

function Tools({ filters }: { readonly filters: Filters }) {
  const t = useTopologyTexts();
  const groupid = useNumberParam("groupid");
  const [, setSearch] = useSearchParams();
  const onlyId = useId();
  const { data: enterprises = [] } = useCall(enterpriseCombo, {});
  return (
    <div className={styles.tools}>
      <Input
        className={styles.search ?? ""}
        aria-label={t("topology.search")}
        placeholder={t("topology.search")}
        allowClear
        value={filters.name}
        onChange={(event) => filters.setName(event.target.value)}
      />
      <Select
        className={styles.search ?? ""}
        aria-label={t("topology.enterprise")}
        placeholder={t("topology.enterprise")}
        allowClear
        value={groupid}
        options={enterprises.map((enterprise) => ({
          value: enterprise.groupid,
          label: enterprise.name,
        }))}
        showSearch={{ optionFilterProp: "label" }}
        onChange={(value: number | undefined) => setSearch(value ? { groupid: String(value) } : {})}
      />
      <label className={styles.only} htmlFor={onlyId}>
        <Switch
          id={onlyId}
          size="small"
          checked={filters.onlyTrouble}
          onChange={filters.setOnlyTrouble}
        />
        {t("topology.trouble")}
      </label>
      <div className={styles.legend}>
        {states.map((state) => (
          <span key={state}>
            <svg width={28} height={8} aria-hidden="true">
              <line className={styles[state] ?? ""} x1={0} y1={4} x2={28} y2={4} />
            </svg>
            {t(`topology.${state}`)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface LinkListProps {
  readonly picture: Picture;
  /** Of this node only; null: of all. */
  readonly spot: Spot | null;
  readonly onClear: () => void;
}

/** The same links as a table, the worst first: the keyboard's way. */
function LinkList({ picture, spot, onClear }: LinkListProps) {
  const t = useTopologyTexts();
  const ids = new Set(spot?.nodes.map(({ id }) => id));
  const links = picture.links
    .filter(({ source, target }) => !spot || ids.has(source.nodeId) || ids.has(target.nodeId))
    .sort(byTrouble);
  const [node] = spot?.nodes ?? [];
  const name =
    spot && (spot.nodes.length > 1 ? t("topology.fold", { count: ids.size }) : node?.name);
  const detail =
    node && (node.kind === "cpe" ? paths.cpeDetail(node.id) : paths.popDetail(node.id));
  return (
    <Card
      flush
      title={`${name ? t("topology.linksOf", { name }) : t("topology.links")} ${links.length}`}
      extra={
        <>
          {detail && ids.size === 1 && (
            <Link className="w-link" to={detail}>
              {t("topology.details")}
            </Link>
          )}
          {spot && (
            <Button size="small" type="text" onClick={onClear}>
              {t("topology.all")}
            </Button>
          )}
          {links.length > shownAtMost && (
            <Link className="w-link" to={paths.links()}>
              {t("topology.more", { count: links.length })}
            </Link>
          )}
        </>
      }
    >
      <PlainTable
        rows={links.slice(0, shownAtMost)}
        rowKey="id"
        columns={linkColumns(t)}
        empty={<EmptyState kind="good" text={t("topology.noLinks")} />}
      />
    </Card>
  );
}
