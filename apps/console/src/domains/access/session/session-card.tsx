import { userEndSession, userSessions } from "@weft/contract/domains/access/factors.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { copyColumn, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Card } from "#ui/card.tsx";
import { accountMessages } from "./account-messages.ts";

type OpenSession = OutputOf<typeof userSessions>[number];

/** Logins that are still open, each with its end. */
export function SessionCard() {
  const t = useTexts(accountMessages);
  const confirm = useConfirm();
  const { data = [], error, isFirstLoad } = useCall(userSessions, {});
  const { act } = useAction(userEndSession);
  const end = async ({ session, ip }: OpenSession): Promise<void> => {
    const isMeant = await confirm({
      title: t("session.endTitle", { ip }),
      body: t("session.endBody"),
      ok: t("session.end"),
      danger: true,
    });
    if (isMeant) await act({ session });
  };
  const columns = [
    stateColumn(
      "state",
      t("session.state"),
      ({ current }: OpenSession) =>
        current
          ? { glyph: "ok", label: t("session.current") }
          : { glyph: "run", label: t("session.open") },
      { width: 128 },
    ),
    copyColumn("ip", t("session.ip"), ({ ip }: OpenSession) => ip, { width: 160 }),
    textColumn("agent", t("session.agent"), ({ agent }: OpenSession) => agent || null),
    timeColumn("createTime", t("session.since"), ({ createTime }: OpenSession) => createTime),
    timeColumn("lastUsed", t("session.last"), ({ lastUsed }: OpenSession) => lastUsed, {
      form: "since",
    }),
  ];
  return (
    <Card title={t("profile.sessions")} flush>
      <PlainTable
        rows={data}
        rowKey="session"
        columns={columns}
        isFirstLoad={isFirstLoad}
        error={error}
        empty=""
        actions={(row) =>
          row.current
            ? []
            : [{ key: "end", label: t("session.end"), danger: true, run: () => void end(row) }]
        }
      />
    </Card>
  );
}
