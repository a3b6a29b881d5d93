import Button from "antd/es/button";
import { CallError } from "#client/call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useToast } from "#feedback/toast.tsx";
import { Card } from "#ui/card.tsx";
import styles from "./kernel-show.module.css";
import { useShowTexts } from "./show-texts.ts";

/** What answers a person: toasts and questions. */
export function Feedback() {
  const t = useShowTexts();
  const toast = useToast();
  const confirm = useConfirm();
  const question = {
    title: t("show.askTitle"),
    body: t("show.askBody"),
    ok: t("show.askOk"),
    danger: true,
  };
  const refusal = () => new CallError("refused", t("show.error"), { code: 500 });
  return (
    <Card title={t("show.feedback")}>
      <div className={styles.wrapped}>
        <Button onClick={() => toast.done()}>{t("show.toast")}</Button>
        <Button onClick={() => toast.failed(refusal())}>{t("show.refusal")}</Button>
        <Button onClick={() => void confirm(question)}>{t("show.ask")}</Button>
        <Button danger onClick={() => void confirm({ ...question, typed: t("show.site") })}>
          {t("show.askTyped")}
        </Button>
      </div>
    </Card>
  );
}
