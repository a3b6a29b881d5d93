import Button from "antd/es/button";
import { StatusGlyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { ShownSecret } from "#ui/shown-secret.tsx";
import { useApiKeyTexts } from "./api-key-texts.ts";
import styles from "./made-key.module.css";

interface Props {
  readonly made: { readonly name: string; readonly key: string };
  readonly onClose: () => void;
}

/** Shows a new key, this once. */
export function MadeKey({ made, onClose }: Props) {
  const t = useApiKeyTexts();
  const example = `curl -H "Authorization: ${made.key}" ${location.origin}/customer/session`;
  return (
    <Modal
      open
      width={640}
      title={t("apiKey.madeTitle", { name: made.name })}
      // It cannot be shown again: a stray click beside the dialog must not lose it.
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t("apiKey.copied")}
        </Button>
      }
    >
      <div className={styles.body}>
        <span>
          <StatusGlyph glyph="warn" /> {t("apiKey.once")}
        </span>
        <ShownSecret label={t("apiKey.key")} text={made.key} />
        <ShownSecret label={t("apiKey.example")} text={example} />
      </div>
    </Modal>
  );
}
