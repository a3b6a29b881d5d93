import type { TaskStatus } from "@weft/contract/domains/delivery/enums.ts";
import { routerTemplateLogList } from "@weft/contract/domains/templates/router-template.ts";
import Button from "antd/es/button";
import { refreshEvery } from "#client/use-call.ts";
import { ObjectFindings } from "#domains/policies/parts/policy/object-findings.tsx";
import { type Column, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import styles from "./template-log.module.css";
import { type TemplateLog as Log, type TemplateTexts, useTemplateTexts } from "./template-texts.ts";
import { BadMark } from "./version-state.tsx";

/** Section 4: 0 not started, 1 completed, 2 failed, 3 cancelled, 4 pulled. */
const glyphs: Readonly<Record<TaskStatus, Glyph>> = {
  0: "off",
  1: "ok",
  2: "bad",
  3: "disabled",
  4: "run",
};

/** Columns of the log. */
export const logColumns = (t: TemplateTexts): Column<Log>[] => [
  stateColumn("status", t("tem.logStatus"), (row: Log) => ({
    glyph: glyphs[row.status],
    label: t.code("taskStatus", row.status),
  })),
  {
    ...textColumn("cpeName", t("tem.logCpe"), (row: Log) => row.cpeName, { width: 144 }),
    part: "name",
  },
  {
    key: "version",
    title: t("tem.version"),
    width: 72,
    cell: (row) => (
      <>
        {row.version} {row.isBad && <BadMark />}
      </>
    ),
  },
  timeColumn("createTime", t("tem.logPublished"), (row: Log) => row.createTime),
  timeColumn("updateTime", t("tem.logEnded"), (row: Log) => row.updateTime, {
    missing: t("tem.logNotEnded"),
  }),
  {
    key: "content",
    title: t.field("content"),
    width: 336,
    cell: (row) => (
      <>
        {row.content}
        <ObjectFindings findings={row.findings} count={row.unmet} max={6} />
      </>
    ),
  },
];

interface Props {
  readonly templateId: number;
  readonly name: string;
  readonly onClose: () => void;
  /** Opens the versions of the template. */
  readonly onVersions: () => void;
}

/** What became of the issues of a template, CPE by CPE. */
export function TemplateLog({ templateId, name, onClose, onVersions }: Props) {
  const t = useTemplateTexts();
  const list = useList(routerTemplateLogList, {
    fixed: { templateId },
    inUrl: false,
    every: refreshEvery,
  });
  return (
    <Modal
      open
      width={1080}
      title={t("tem.logOf", { name })}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onVersions}>{t("version.open")}</Button>
          <Button onClick={list.refetch} loading={list.isRefetching}>
            {t("act.refresh")}
          </Button>
          <Button onClick={onClose}>{t("act.close")}</Button>
        </>
      }
      destroyOnHidden
    >
      <div className={styles.log} data-template-log>
        <ResourceTable
          list={list}
          columns={logColumns(t)}
          rowKey="logId"
          empty={t("tem.logEmpty")}
        />
      </div>
    </Modal>
  );
}
