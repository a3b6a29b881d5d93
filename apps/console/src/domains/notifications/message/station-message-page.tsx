import { messageStatuses, messageTypes } from "@weft/contract/domains/access/enums.ts";
import {
  messageList,
  messageRead,
  messageReadAll,
  messageRemove,
  messageUnreadCount,
} from "@weft/contract/domains/notifications/message.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import Button from "antd/es/button";
import { useOpened } from "#client/opened.ts";
import { codeOptions, type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { type Column, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { BatchRecords } from "#parts/batch/batch-records.tsx";
import { batchMessages } from "#parts/batch/messages.ts";

const messageMessages = defineMessages({
  "message.title": ["站内消息", "Station messages"],
  "message.empty": [
    "还没有消息。账号安全、告警和系统通知会出现在这里",
    "No messages yet. What concerns your account, alarms and the system appears here",
  ],
  "message.state": ["阅读状态", "Read state"],
  "message.read": ["标为已读", "Mark as read"],
  "message.readAll": ["全部已读", "Mark all as read"],
  "message.open": ["查看", "Open"],
  "message.removeTitle": ["删除 {count} 条消息？", "Delete {count|message|messages}?"],
  "message.removeBody": ["删除后无法恢复", "This cannot be undone"],
  "message.unread": ["{count} 条未读", "{count} unread"],
});

type Row = OutputOf<typeof messageList>[number];

const columnsOf = (t: Translate<keyof typeof messageMessages>): Column<Row>[] => [
  stateColumn(
    "status",
    t("message.state"),
    ({ status }: Row) => ({
      glyph: status === 0 ? "notice" : "off",
      label: t.code("messageStatus", status),
    }),
    { width: 112 },
  ),
  textColumn("type", t.field("type"), ({ type }: Row) => t.code("messageType", type), {
    width: 96,
  }),
  {
    ...textColumn("title", t.field("title"), ({ title }: Row) => title, { width: 240 }),
    part: "name",
  },
  textColumn("content", t.field("content"), ({ content }: Row) => content, { width: 360 }),
  timeColumn("createTime", t.field("createTime"), ({ createTime }: Row) => createTime, {
    form: "stamp",
    width: 176,
  }),
];

/** Messages to the person who is logged in, the newest first. */
export default function StationMessagePage() {
  const t = useTexts(messageMessages, batchMessages);
  const { opened, open, close } = useOpened();
  const confirm = useConfirm();
  const list = useList(messageList, {});
  const selection = useSelection<Row>("id", list);
  const unread = useCall(messageUnreadCount, {}).data?.count ?? 0;
  const read = useAction(messageRead, { done: false });
  const readAll = useAction(messageReadAll);
  const { act: removeThese } = useAction(messageRemove);
  const remove = async (rows: readonly Row[]): Promise<void> => {
    const isMeant = await confirm({
      title: t("message.removeTitle", { count: rows.length }),
      body: t("message.removeBody"),
      ok: t("act.remove"),
      danger: true,
    });
    if (!isMeant) return;
    if (await removeThese({ ids: rows.map(({ id }) => id) })) selection.clear();
  };
  const markRead = (rows: readonly Row[]): void => void read.act({ ids: rows.map(({ id }) => id) });
  const actionsOf = (row: Row): RowAction[] => [
    ...(row.link ? [{ key: "open", label: t("message.open"), to: row.link }] : []),
    ...(row.status === 0
      ? [{ key: "read", label: t("message.read"), run: () => markRead([row]) }]
      : []),
    { key: "remove", label: t("act.remove"), danger: true, run: () => void remove([row]) },
  ];
  return (
    <ListPage
      title={t("message.title")}
      list={list}
      rowKey="id"
      columns={columnsOf(t)}
      selection={selection}
      batch={(rows) => [
        { key: "read", label: t("message.read"), run: () => markRead(rows) },
        { key: "remove", label: t("act.remove"), danger: true, run: () => void remove(rows) },
      ]}
      filters={[
        {
          key: "status",
          kind: "select",
          label: t("message.state"),
          options: codeOptions(t, "messageStatus", messageStatuses),
        },
        {
          key: "type",
          kind: "select",
          label: t.field("type"),
          options: codeOptions(t, "messageType", messageTypes),
        },
      ]}
      summary={
        unread > 0 && <span className="w-quiet">{t("message.unread", { count: unread })}</span>
      }
      tools={
        <>
          <Button onClick={() => open("batches")}>{t("batch.records")}</Button>
          <Button disabled={unread === 0} onClick={() => void readAll.act({})}>
            {t("message.readAll")}
          </Button>
        </>
      }
      actions={actionsOf}
      empty={{ text: t("message.empty") }}
    >
      {opened?.what === "batches" && <BatchRecords onClose={close} />}
    </ListPage>
  );
}
