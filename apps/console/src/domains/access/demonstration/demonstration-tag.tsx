import {
  demonstrationLeave,
  demonstrationState,
} from "@weft/contract/domains/access/demonstration.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useRendered } from "#client/use-rendered.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { Popover } from "#ui/overlay/popover.tsx";
import styles from "./demonstration-tag.module.css";
import { demonstrationMessages } from "./messages.ts";

/** While the controller restarts nothing answers; then the session is gone and the login comes. */
const pollMs = 1_000;

/** Says in the header that all this is a demonstration, and leads out of it. */
export function DemonstrationTag() {
  const t = useTexts(demonstrationMessages);
  const confirm = useConfirm();
  const [isOpen, setOpen] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  // Nearly every installation is none, and says so with the session.
  const isPossible = useSession().demonstration === true;
  const isDue = useRendered() && isPossible;
  const { data } = useCall(
    demonstrationState,
    isDue ? {} : null,
    isLeaving ? { every: pollMs } : {},
  );
  const leaving = useAction(demonstrationLeave, { done: false });
  if (!data?.active) return null;
  const leave = async () => {
    setOpen(false);
    const isMeant = await confirm({
      title: t("demonstration.leaveTitle"),
      body: t("demonstration.leaveBody"),
      ok: t("demonstration.leave"),
      danger: true,
    });
    if (isMeant && (await leaving.act({}))) setLeaving(true);
  };
  const about = (
    <div className={styles.about}>
      <p>{t("demonstration.what")}</p>
      {data.mayLeave ? (
        <Button danger size="small" onClick={() => void leave()}>
          {t("demonstration.leave")}
        </Button>
      ) : (
        <p className="w-quiet">{t("demonstration.onlyAdmin")}</p>
      )}
    </div>
  );
  return (
    <Popover
      label={t("demonstration.title")}
      placement="bottomRight"
      title={t("demonstration.title")}
      content={about}
      open={isOpen}
      onOpenChange={setOpen}
    >
      <button type="button" className={styles.tag} aria-live="polite" disabled={isLeaving}>
        {t(isLeaving ? "demonstration.leaving" : "demonstration.tag")}
      </button>
    </Popover>
  );
}
