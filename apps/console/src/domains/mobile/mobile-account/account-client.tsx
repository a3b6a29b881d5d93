import {
  accountClient,
  accountEditKey,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import { clientFile, makeKeyPair } from "@weft/contract/rules/wireguard.ts";
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import QRCode from "antd/es/qr-code";
import { useState } from "react";
import { call } from "#client/call.ts";
import { May, useMay } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { KeyValue } from "#ui/key-value.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { type AccountRow, useAccountTexts } from "./account-texts.ts";
import styles from "./client-file.module.css";

interface ClientFileProps {
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
function ClientFile({ name, text, hasKey }: ClientFileProps) {
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

interface Props {
  readonly row: AccountRow;
  readonly onPassword: () => void;
  readonly onClose: () => void;
}

/** Placeholder in a configuration whose private key only the terminal has. */
const ownKey = "<PRIVATE KEY>";

/** An account as a WireGuard client: its key, and the configuration generated from it in this browser. */
export function AccountClient({ row, onPassword, onClose }: Props) {
  const t = useAccountTexts();
  const may = useMay();
  // Exists as long as the dialog: it is never sent and never stored.
  const [privateKey, setPrivateKey] = useState<string | null>(null);
  const { data, error, refetch } = useCall(accountClient, { id: row.id });
  const { setKey, isActing } = useSetKey(row, refetch);
  const make = async (): Promise<void> => {
    const made = await setKey(makeKeyPair);
    if (made) setPrivateKey(made);
  };
  const isReady = data?.address && data.endpoint && data.serverKey;
  return (
    <Modal
      open
      width={720}
      title={t("client.title", { name: row.alias })}
      onCancel={onClose}
      destroyOnHidden
      footer={
        <>
          <May code="clientEditPass">
            <Button onClick={onPassword}>{t("account.password")}</Button>
          </May>
          <Button onClick={onClose}>{t("act.close")}</Button>
        </>
      }
    >
      {!data && (error ? <Failed error={error} retry={refetch} /> : <Loading rows={4} />)}
      {data && (
        <>
          {data.obstacle && <p role="status">{t(`client.obstacle.${data.obstacle}`)}</p>}
          <KeyValue
            items={[
              { label: t.field("address"), value: data.address ?? t("missing") },
              { label: t("client.server"), value: data.endpoint ?? t("missing") },
              { label: t.field("routes"), value: data.routes.join(", ") || t("missing") },
              { label: t.field("publicKey"), value: row.publicKey ?? t("client.none") },
            ]}
          />
          {privateKey !== null && isReady && (
            <ClientFile
              name={row.loginName}
              hasKey={privateKey !== ownKey}
              text={clientFile(
                {
                  ...data,
                  address: data.address ?? "",
                  endpoint: data.endpoint ?? "",
                  serverKey: data.serverKey ?? "",
                },
                privateKey,
              )}
            />
          )}
          {may("clientEdit") && privateKey === null && data.obstacle !== "noService" && (
            <KeyWays
              isActing={isActing}
              onMake={make}
              onOwn={async (key) => {
                const done = await setKey(async () => ({ publicKey: key, privateKey: ownKey }));
                if (done) setPrivateKey(done);
              }}
            />
          )}
        </>
      )}
    </Modal>
  );
}

/** Sets the key of the account; the private key is returned to the caller and sent nowhere. */
function useSetKey(row: AccountRow, refetch: () => void) {
  const t = useAccountTexts();
  const toast = useToast();
  const confirm = useConfirm();
  const invalidate = useInvalidate();
  const [isActing, setActing] = useState(false);
  const setKey = async (make: typeof makeKeyPair): Promise<string | null> => {
    const question = { title: t("client.anewTitle"), body: t("client.anewBody") };
    if (row.publicKey !== null && !(await confirm({ ...question, ok: t("client.renewKey") })))
      return null;
    setActing(true);
    try {
      const { publicKey, privateKey } = await make();
      await call(accountEditKey, { id: row.id, publicKey });
      invalidate(mobileAccount.name);
      refetch();
      return privateKey;
    } catch (error) {
      toast.failed(error);
      return null;
    } finally {
      setActing(false);
    }
  };
  return { setKey, isActing };
}

interface WaysProps {
  readonly isActing: boolean;
  readonly onMake: () => Promise<void>;
  readonly onOwn: (publicKey: string) => Promise<void>;
}

/** Two sources of a key: generated here, or entered by a user who generated one elsewhere. */
function KeyWays({ isActing, onMake, onOwn }: WaysProps) {
  const t = useAccountTexts();
  const [text, setOwn] = useState("");
  return (
    <>
      <p className="w-quiet">{t("client.makeHelp")}</p>
      <Button type="primary" loading={isActing} onClick={() => void onMake()}>
        {t("client.make")}
      </Button>
      <p className="w-quiet">{t("client.ownHelp")}</p>
      <Input
        className="w-mono"
        aria-label={t.field("publicKey")}
        value={text}
        onChange={({ target }) => setOwn(target.value.trim())}
        suffix={
          <Button size="small" disabled={text === "" || isActing} onClick={() => void onOwn(text)}>
            {t("act.save")}
          </Button>
        }
      />
    </>
  );
}
