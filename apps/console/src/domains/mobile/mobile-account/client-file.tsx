import Button from "antd/es/button";
import QRCode from "antd/es/qr-code";
import { useAccountTexts } from "./account-texts.ts";
import styles from "./client-file.module.css";

interface Props {
  /** The file is called so; the apps of WireGuard name the tunnel by it. */
  readonly name: string;
  readonly text: string;
  /** The private key is in the text. */
  readonly hasKey: boolean;
}

/** Interfaces have names of 15 characters at most (linux/if.h), and the apps take fewer letters. */
const fileName = (name: string): string =>
  `${name.replace(/[^A-Za-z0-9_=+.-]/g, "").slice(0, 15) || "weft"}.conf`;

function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = fileName(name);
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A client's configuration: to be saved, or to be read off the screen by a phone. */
export function ClientFile({ name, text, hasKey }: Props) {
  const t = useAccountTexts();
  return (
    <div className={styles.file}>
      {/* Scanners want dark on light, whatever the mode. */}
      {hasKey && <QRCode value={text} size={232} color="#000000" bgColor="#ffffff" />}
      <div className={styles.text}>
        <p>{t(hasKey ? "client.once" : "client.putKey")}</p>
        {/* The key in it is not shown: who looks over the shoulder must not have it. */}
        <pre>{text.replace(/^(PrivateKey = )[A-Za-z0-9+/]{43}=$/m, "$1••••••••")}</pre>
        <Button type="primary" onClick={() => save(name, text)}>
          {t("client.save")}
        </Button>
      </div>
    </div>
  );
}
