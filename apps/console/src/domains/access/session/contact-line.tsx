import {
  type ContactWay,
  userConfirm,
  userConfirmBegin,
} from "@weft/contract/domains/access/user.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { useToast } from "#feedback/toast.tsx";
import { useAction, useInvalidate } from "#feedback/use-action.ts";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { FormDialog } from "#parts/form-dialog.tsx";
import { StateText } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { accountMessages } from "./account-messages.ts";
import { useSite } from "./site.ts";

interface Props {
  readonly way: ContactWay;
  readonly address: string | null;
  readonly isConfirmed: boolean;
}

/** A phone number or address of the user's own, and whether a password is recovered by it. */
export function ContactLine({ way, address, isConfirmed }: Props) {
  const t = useTexts(accountMessages);
  const { site } = useSite();
  const [isOpen, setOpen] = useState(false);
  if (address === null) return <Missing />;
  const canSend = way === "phone" ? site.byPhone : site.byEmail;
  return (
    <>
      {address}{" "}
      {canSend &&
        (isConfirmed ? (
          <StateText glyph="ok" label={t("contact.confirmed")} />
        ) : (
          <>
            <StateText glyph="warn" label={t("contact.unconfirmed")} />{" "}
            <Button size="small" onClick={() => setOpen(true)}>
              {t("contact.confirm")}
            </Button>
          </>
        ))}
      {isOpen && <ConfirmDialog way={way} address={address} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps extends Pick<Props, "way"> {
  readonly address: string;
  readonly onClose: () => void;
}

/** Sends a code, then takes it. */
function ConfirmDialog({ way, address, onClose }: DialogProps) {
  const t = useTexts(accountMessages);
  const [ticket, setTicket] = useState<string | null>(null);
  const { act, isActing } = useAction(userConfirmBegin, { done: false });
  const send = async (): Promise<void> => {
    const answer = await act({ way });
    if (answer) setTicket(answer.data.ticket);
  };
  const title = t(way === "phone" ? "contact.phoneTitle" : "contact.emailTitle", { address });
  if (ticket !== null) return <CodeDialog ticket={ticket} title={title} onClose={onClose} />;
  return (
    <Modal open title={title} width={460} footer={null} onCancel={onClose}>
      <p>{t("contact.body")}</p>
      <div className="w-confirm-foot">
        <Button onClick={onClose}>{t("act.cancel")}</Button>
        <Button type="primary" loading={isActing} onClick={() => void send()}>
          {t("contact.send")}
        </Button>
      </div>
    </Modal>
  );
}

interface CodeProps {
  readonly ticket: string;
  readonly title: string;
  readonly onClose: () => void;
}

function CodeDialog({ ticket, title, onClose }: CodeProps) {
  const t = useTexts(accountMessages);
  const toast = useToast();
  const invalidate = useInvalidate();
  const form = useDraft(userConfirm.input, { ticket, sms: "" });
  return (
    <FormDialog
      title={title}
      form={form}
      ok={t("contact.confirm")}
      onSubmit={async (draft) => {
        await call(userConfirm, draft);
        invalidate("user", "message");
        toast.done();
        onClose();
      }}
      onClose={onClose}
    >
      <Field name="sms" label={t("contact.codeLabel")} autoComplete="one-time-code" />
    </FormDialog>
  );
}
