import { vbrNode, vbrTable } from "@weft/contract/domains/overlay/vbr-node.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { Link } from "react-router";
import { paths, useBackTo } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { type Column, nameColumn, textColumn } from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { useVbrNodeTexts, type VbrNodeTexts } from "./vbr-node-texts.ts";

type Row = RowOf<typeof vbrTable>;

const columnsOf = (t: VbrNodeTexts): Column<Row>[] => [
  nameColumn("network", t("table.network"), (row: Row) => ({ text: row.network }), { sort: true }),
  textColumn("nextHop", t.field("nextHop"), (row: Row) => row.nextHop, { width: 176 }),
  textColumn("remark", t.field("remark"), (row: Row) => row.remark, { width: 240 }),
];

/** What the node is called; empty while that is not known. */
function useNodeName(id: number): string {
  const { data } = useCall(vbrNode.ops.list, {
    name: null,
    popId: null,
    auditStatus: null,
    orderByColumn: null,
    isAsc: null,
    page: 1,
    limit: 1_000,
  });
  return data?.find((one) => one.id === id)?.name ?? "";
}

interface Props {
  readonly vbrNodeId: number;
}

/** Networks behind one cross-cloud node. */
export const VbrNodeTable = resourcePage(
  vbrTable,
  function useVbrNodeTable(_, { vbrNodeId }: Props) {
    const t = useVbrNodeTexts();
    const name = useNodeName(vbrNodeId);
    const back = useBackTo(paths.cloud());
    return {
      title: t("table.title", { name }),
      addLabel: t("table.add"),
      empty: t("table.empty"),
      nameOf: (row) => row.network,
      columns: columnsOf(t),
      tools: (
        <Link className="w-link" to={back}>
          {t("table.back")}
        </Link>
      ),
      form: {
        initial: { vbrNodeId, network: "", nextHop: "", remark: "" },
        editTitle: (row) => t("vbrNode.editOf", { name: row.network }),
        fields: [
          {
            name: "network",
            kind: "mono",
            label: t("table.network"),
            placeholder: "172.16.0.0/16",
          },
          { name: "nextHop", kind: "mono", placeholder: "169.254.10.2" },
          "remark",
        ],
      },
      removal: { body: () => t("table.removeBody") },
      touches: ["vbrNode"],
    };
  },
  ({ vbrNodeId }) => ({ fixed: { vbrNodeId } }),
);
