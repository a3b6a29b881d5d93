/** The last line of a form: what sends it. */
import Button from "antd/es/button";
import { useTexts } from "#client/texts.ts";
import { useDraftContext } from "#kernel/form/use-draft.ts";

/** Sends the form around it, once something in it was changed. */
export function SaveButton({ label }: { readonly label?: string }) {
  const t = useTexts();
  const { changed, isSending } = useDraftContext();
  const isUnchanged = changed.length === 0;
  return (
    <div className="w-save">
      <Button type="primary" htmlType="submit" loading={isSending} disabled={isUnchanged}>
        {label ?? t("act.save")}
      </Button>
      {isUnchanged && <span className="w-quiet">{t("form.unchanged")}</span>}
    </div>
  );
}

interface FootProps {
  /** The verb of the button. */
  readonly ok: string;
  readonly onClose: () => void;
}

/** Leaves a dialog, or sends the form in it. */
export function DialogFoot({ ok, onClose }: FootProps) {
  const t = useTexts();
  const { isSending } = useDraftContext();
  return (
    <div className="w-confirm-foot">
      <Button onClick={onClose}>{t("act.cancel")}</Button>
      <Button type="primary" htmlType="submit" loading={isSending}>
        {ok}
      </Button>
    </div>
  );
}
