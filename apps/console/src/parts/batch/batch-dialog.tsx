import {
  batchById,
  batchCancel,
  batchExport,
  batchItems,
} from "@weft/contract/domains/access/batch.ts";
import type { Endpoint, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import Flex from "antd/es/flex";
import Progress from "antd/es/progress";
import { useEffect, useEffectEvent } from "react";
import { useTexts } from "#client/texts.ts";
import { type CallResult, useCall } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { ExportButton } from "#feedback/export-button.tsx";
import { useAction, useInvalidate } from "#feedback/use-action.ts";
import { type Column, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { type List, useList } from "#kernel/list/use-list.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { isOpen, percentOf } from "./batch-state.ts";
import { batchMessages } from "./messages.ts";

type Item = OutputOf<typeof batchItems>[number];

/** ms between two requests for the progress of a bulk job. */
const pollMs = 1_000;
const failed = 2;

interface Props {
  readonly id: number;
  /** Resources whose rows change. */
  readonly touches: readonly string[];
  readonly onClose: () => void;
}

/** How far an action on many rows is, and which rows failed for which reason. */
export function BatchDialog({ id, touches, onClose }: Props) {
  const t = useTexts(batchMessages);
  const batch = useFollowed(id, touches);
  const { data } = batch;
  return (
    <Modal
      open
      width={720}
      title={data ? t.code("batchAction", data.action) : t("batch.report")}
      footer={null}
      onCancel={onClose}
    >
      {batch.error && !data && <Failed error={batch.error} retry={batch.refetch} />}
      {batch.isFirstLoad && <Loading rows={2} />}
      {data && <BatchProgress batch={data} onClose={onClose} />}
    </Modal>
  );
}

/** A batch that is asked for until it has ended; what it changed is asked for then. */
function useFollowed(id: number, touches: readonly string[]): CallResult<typeof batchById> {
  const batch = useCall(batchById, { id });
  const invalidate = useInvalidate();
  const status = batch.data?.batchStatus;
  const poll = useEffectEvent(() => batch.refetch());
  const show = useEffectEvent(() => invalidate(...touches));
  useEffect(() => {
    if (status === undefined) return;
    if (!isOpen(status)) return show();
    // Also while the screen has auto refresh off: the user waits for it.
    const timer = setInterval(() => poll(), pollMs);
    return () => clearInterval(timer);
  }, [status]);
  return batch;
}

interface BatchProps {
  readonly batch: OutputOf<typeof batchById>;
  readonly onClose: () => void;
}

function BatchProgress({ batch, onClose }: BatchProps) {
  const t = useTexts(batchMessages);
  const { total, done, batchStatus } = batch;
  const isRunning = isOpen(batchStatus);
  const percent = percentOf(batch);
  const status = batch.failed > 0 ? "exception" : isRunning ? "active" : "normal";
  return (
    <>
      <Progress
        percent={percent}
        status={status}
        aria-label={t("batch.progress", { percent })}
        format={(value) => `${value}%`}
      />
      <p role="status">
        {[
          t.code("batchStatus", batchStatus),
          t("batch.done", { done, total }),
          ...(batch.failed > 0 ? [t("batch.failedCount", { count: batch.failed })] : []),
        ].join(" · ")}
      </p>
      {isRunning && <p className="w-quiet">{t("batch.leaveHint")}</p>}
      {batch.failed > 0 && <Failures id={batch.id} />}
      <div className="w-confirm-foot">
        {isRunning && <Stop batch={batch} />}
        <Button type="primary" onClick={onClose}>
          {t(isRunning ? "batch.leave" : "act.close")}
        </Button>
      </div>
    </>
  );
}

function Stop({ batch: { id, total, done, failed: refused } }: Pick<BatchProps, "batch">) {
  const t = useTexts(batchMessages);
  const confirm = useConfirm();
  const { act, isActing } = useAction(batchCancel, { done: false });
  const stop = async (): Promise<void> => {
    const isMeant = await confirm({
      title: t("batch.stopTitle", { count: total - done - refused }),
      body: t("batch.stopBody"),
      ok: t("batch.stop"),
      danger: true,
    });
    if (isMeant) await act({ id });
  };
  return (
    <Button danger loading={isActing} onClick={() => void stop()}>
      {t("batch.stop")}
    </Button>
  );
}

function Failures({ id }: { readonly id: number }) {
  const t = useTexts(batchMessages);
  const list = useList(batchItems, {
    fixed: { id, itemStatus: failed },
    every: pollMs * 5,
    inUrl: false,
  });
  const columns: Column<Item>[] = [
    textColumn("name", t.field("name"), ({ name }: Item) => name, { width: 152 }),
    textColumn("reason", t.field("reason"), ({ reason }: Item) => reason, { width: 440 }),
    numberColumn("sequence", t.field("sequence"), ({ sequence }: Item) => sequence, { width: 72 }),
  ];
  return (
    <>
      <Flex justify="space-between" align="center">
        <h3>{t("batch.failures")}</h3>
        <ExportButton
          endpoint={batchExport as unknown as Endpoint}
          list={list as unknown as List<unknown>}
        />
      </Flex>
      <ResourceTable list={list} columns={columns} rowKey="sequence" />
    </>
  );
}
