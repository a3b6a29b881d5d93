import {
  demonstrationLeave,
  demonstrationState,
} from "@weft/contract/domains/access/demonstration.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
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

const demonstrationMessages = defineMessages({
  "demonstration.tag": ["演示", "Demo"],
  "demonstration.title": ["演示环境", "This is the demonstration"],
  "demonstration.what": [
    "站点由真实的边缘程序运行，网络是模拟的；名称和数据均为虚构。可以随意修改，不影响任何真实网络。",
    "Real edge programs run these sites on a simulated network; names and values are fictitious. You may change anything: no real network is affected.",
  ],
  "demonstration.leave": ["离开演示环境", "Leave the demonstration"],
  "demonstration.leaveTitle": ["离开演示环境？", "Leave the demonstration?"],
  "demonstration.leaveBody": [
    "控制器以空的安装重新开始：没有企业、POP 和 CPE。所有人需重新登录，admin 的密码保持不变。演示环境的数据保留在磁盘上。",
    "The controller restarts with an empty installation: no enterprises, POPs or CPEs. Everyone must log in again; the password of admin does not change. The data of the demonstration is kept on the disk.",
  ],
  "demonstration.onlyAdmin": [
    "只有首个管理员 admin 可以离开演示环境",
    "Only the first administrator, admin, can leave it",
  ],
  "demonstration.leaving": ["正在切换到空的安装…", "Switching to the empty installation…"],
});

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
