import {
  routerTemplateEndVisits,
  routerTemplateVisit,
} from "@weft/contract/domains/templates/router-template.ts";
import { permissions, templatePermissions } from "@weft/contract/permissions.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { entrance } from "#client/entrance.ts";
import { useMay, useSession, useVisitEnd } from "#client/session.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useAction } from "#feedback/use-action.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import { stampText } from "#ui/time-text.tsx";
import { useTemplateTexts } from "./template-texts.ts";
import styles from "./visit.module.css";

/** The way to a link; a visitor gives out none. */
export function VisitButton({ onOpen }: { readonly onOpen: () => void }) {
  const t = useTemplateTexts();
  if (useVisitEnd() !== null) return null;
  return <Button onClick={onOpen}>{t("tem.visit")}</Button>;
}

/** A link that opens the screen without them (section 2.1). */
const linkWith = (token: string): string => {
  const url = new URL(entrance.templates, location.origin);
  url.searchParams.set("token", token);
  return url.href;
};

/** Says what a link for a visitor without an account opens, then makes one and shows it, this once. */
export function VisitDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTemplateTexts();
  const [made, setMade] = useState<{ token: string; expireTime: Date } | null>(null);
  const { act, isActing } = useAction(routerTemplateVisit, { done: false });
  const make = async () => {
    const given = await act({});
    if (given) setMade(given.data);
  };
  const before = (
    <>
      <EndVisits />
      <Button onClick={onClose}>{t("act.cancel")}</Button>
      <Button type="primary" loading={isActing} onClick={() => void make()}>
        {t("tem.visitMake")}
      </Button>
    </>
  );
  const after = (
    <Button type="primary" onClick={onClose}>
      {t("tem.visitDone")}
    </Button>
  );
  return (
    <Modal
      open
      width={560}
      title={t("tem.visitTitle")}
      // It cannot be shown again: a stray click beside the dialog must not lose it.
      mask={{ closable: made === null }}
      onCancel={onClose}
      footer={made ? after : before}
    >
      <div className={styles.body} aria-live="polite">
        {made ? (
          <>
            <p>
              <StatusGlyph glyph="ok" /> {t("tem.visitMade", { time: stampText(made.expireTime) })}
            </p>
            <ShownSecret label={t("tem.visitLink")} text={linkWith(made.token)} />
          </>
        ) : (
          <Terms />
        )}
      </div>
    </Modal>
  );
}

/** Revokes every link that this account gave out: for one that went to the wrong person. */
function EndVisits() {
  const t = useTemplateTexts();
  const toast = useToast();
  const { act, isActing } = useAction(routerTemplateEndVisits, { done: false });
  const end = async (): Promise<void> => {
    const answer = await act({});
    if (!answer) return;
    const { ended: count } = answer.data;
    if (count === 0) toast.hint(t("tem.visitsNone"));
    else toast.done(t(count === 1 ? "tem.visitsEndedOne" : "tem.visitsEnded", { count }));
  };
  return (
    <Button
      danger
      type="text"
      className={styles.end ?? ""}
      loading={isActing}
      onClick={() => void end()}
    >
      {t("tem.visitsEnd")}
    </Button>
  );
}

function Terms() {
  const t = useTemplateTexts();
  const may = useMay();
  const { loginName } = useSession();
  const label = t.language === "zh_cn" ? "zh" : "en";
  const given = templatePermissions.filter(may).map((code) => permissions[code][label]);
  return (
    <>
      <p>{t("tem.visitWhat")}</p>
      <ul>
        {given.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <p>{t("tem.visitEnd")}</p>
      <p>{t("tem.visitLog", { name: `${loginName}/visitor` })}</p>
      <p>
        <StatusGlyph glyph="warn" /> {t("tem.visitWarning")}
      </p>
    </>
  );
}
