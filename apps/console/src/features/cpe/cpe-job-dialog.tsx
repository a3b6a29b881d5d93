import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Progress from "antd/es/progress";
import { textColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { useSiteTexts } from "./cpe-texts.ts";

/** One call a CPE, and how far it is. */
export interface Job {
  readonly title: string;
  readonly all: number;
  readonly done: number;
  readonly isOver: boolean;
  readonly failed: readonly { readonly id: number; readonly name: string; readonly why: string }[];
}

interface DialogProps {
  readonly job: Job;
  readonly onHalt: () => void;
  readonly onClose: () => void;
}

/** How far a job is, and in the end which CPEs failed and why. */
export function JobDialog({ job, onHalt, onClose }: DialogProps) {
  const t = useSiteTexts();
  const { title, all, done, failed, isOver } = job;
  const percent = Math.round((100 * (done + failed.length)) / Math.max(1, all));
  return (
    <Modal open title={title} width={640} footer={null} closable={isOver} onCancel={onClose}>
      <Progress percent={percent} status={failed.length > 0 ? "exception" : "normal"} />
      <p role="status">{t("batch.progress", { done, all, failed: failed.length })}</p>
      {failed.length > 0 && (
        <>
          <h3>{t("batch.failed")}</h3>
          <PlainTable
            rows={[...failed]}
            rowKey="id"
            columns={[
              textColumn("name", t.field("alias"), (row: Job["failed"][number]) => row.name, {
                width: 176,
              }),
              textColumn("why", t("batch.reason"), (row: Job["failed"][number]) => row.why),
            ]}
            empty=""
          />
        </>
      )}
      <div className="w-confirm-foot">
        {isOver ? (
          <Button type="primary" onClick={onClose}>
            {t("act.close")}
          </Button>
        ) : (
          <Button onClick={onHalt}>{t("batch.halt")}</Button>
        )}
      </div>
    </Modal>
  );
}
