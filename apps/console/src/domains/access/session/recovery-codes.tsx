import Button from "antd/es/button";
import { useTexts } from "#client/texts.ts";
import { CopyButton } from "#ui/copyable.tsx";
import { StatusGlyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import styles from "./account.module.css";
import { accountMessages } from "./account-messages.ts";

interface Props {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows new recovery codes, this once. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const t = useTexts(accountMessages);
  return (
    <Modal
      open
      width={460}
      title={t("factor.codesTitle")}
      // They cannot be shown again: a stray click beside the dialog must not lose them.
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t("factor.codesKept")}
        </Button>
      }
    >
      <p>
        <StatusGlyph glyph="warn" /> {t("factor.codesOnce")} <CopyButton text={codes.join("\n")} />
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Modal>
  );
}
