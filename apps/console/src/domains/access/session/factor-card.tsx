import {
  factorList,
  passkeyRemove,
  recoveryRenew,
  totpRemove,
} from "@weft/contract/domains/access/factors.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { call } from "#client/call.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { Card } from "#ui/card.tsx";
import { CopyButton } from "#ui/copyable.tsx";
import { StateText, StatusGlyph } from "#ui/glyph.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./account.module.css";
import { accountMessages } from "./account-messages.ts";
import { AddPasskey } from "./add-passkey.tsx";
import { AddTotp } from "./add-totp.tsx";
import { hasPasskeys } from "./passkey-browser.ts";
import { PasswordStep } from "./password-step.tsx";

interface Props {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows new recovery codes, this once. */
function RecoveryCodes({ codes, onClose }: Props) {
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

type Factors = OutputOf<typeof factorList>;
type Passkey = Factors["passkeys"][number];

/** The dialog that is open. */
type Step =
  | { readonly kind: "totp" | "passkey" | "removeTotp" | "renew" }
  | { readonly kind: "removePasskey"; readonly passkey: Passkey }
  | { readonly kind: "codes"; readonly codes: readonly string[] };

/** MFA methods of the user's own account. @param onSetUp the first one is set up, its codes are saved. */
export function FactorCard({ onSetUp }: { readonly onSetUp?: () => void }) {
  const t = useTexts(accountMessages);
  const { data, error, refetch } = useCall(factorList, {});
  const [step, setStep] = useState<Step | null>(null);
  return (
    <Card
      title={t("profile.factors")}
      extra={
        <>
          {!data?.totp && (
            <Button disabled={!data} onClick={() => setStep({ kind: "totp" })}>
              {t("factor.addTotp")}
            </Button>
          )}{" "}
          <Button
            disabled={!hasPasskeys()}
            title={hasPasskeys() ? "" : t("factor.noPasskeys")}
            onClick={() => setStep({ kind: "passkey" })}
          >
            {t("factor.addPasskey")}
          </Button>
        </>
      }
    >
      {error && <Failed error={error} retry={refetch} />}
      {!data && !error && <Loading rows={2} />}
      {data && <FactorLines factors={data} onStep={setStep} />}
      {step && <FactorDialog step={step} onStep={setStep} {...(onSetUp && { onSetUp })} />}
    </Card>
  );
}

interface LinesProps {
  readonly factors: Factors;
  readonly onStep: (step: Step) => void;
}

function FactorLines({ factors, onStep }: LinesProps) {
  const t = useTexts(accountMessages);
  const { totp, passkeys, recoveryLeft, demanded } = factors;
  if (!totp && passkeys.length === 0) {
    return (
      <p className="w-quiet">
        {demanded ? `${t("profile.demanded")}. ` : ""}
        {t("factor.none")}
      </p>
    );
  }
  return (
    <>
      {totp && (
        <div className={styles.line}>
          <span className={styles.what}>{t("factor.totp")}</span>
          <StateText glyph="ok" label={t("factor.totpOn")} />
          <Button size="small" danger onClick={() => onStep({ kind: "removeTotp" })}>
            {t("act.remove")}
          </Button>
        </div>
      )}
      {passkeys.map((passkey) => (
        <div key={passkey.credential} className={styles.line}>
          <span className={styles.what}>
            {t("factor.passkey")} {passkey.name}
          </span>
          <span className="w-quiet">{t("factor.host", { host: passkey.host })}</span>
          <span className="w-quiet">
            {passkey.lastUsed ? (
              <TimeText value={passkey.lastUsed} form="since" />
            ) : (
              t("factor.usedNever")
            )}
          </span>
          <Button size="small" danger onClick={() => onStep({ kind: "removePasskey", passkey })}>
            {t("act.remove")}
          </Button>
        </div>
      ))}
      <div className={styles.line}>
        <span className={styles.what}>{t("factor.recovery")}</span>
        <StateText
          glyph={recoveryLeft > 2 ? "ok" : "warn"}
          label={t("factor.recoveryLeft", { count: recoveryLeft })}
        />
        <Button size="small" onClick={() => onStep({ kind: "renew" })}>
          {t("factor.renew")}
        </Button>
      </div>
    </>
  );
}

interface DialogProps {
  readonly step: Step;
  readonly onStep: (step: Step | null) => void;
  readonly onSetUp?: () => void;
}

function FactorDialog({ step, onStep, onSetUp }: DialogProps) {
  const t = useTexts(accountMessages);
  const toast = useToast();
  const invalidate = useInvalidate();
  const close = (): void => onStep(null);
  const changed = (codes: readonly string[] | null): void => {
    invalidate("factor", "message");
    toast.done();
    onStep(codes ? { kind: "codes", codes } : null);
    if (!codes) onSetUp?.();
  };
  switch (step.kind) {
    case "totp":
      return <AddTotp onClose={close} onAdded={changed} />;
    case "passkey":
      return <AddPasskey onClose={close} onAdded={changed} />;
    case "codes":
      return (
        <RecoveryCodes
          codes={step.codes}
          onClose={() => {
            close();
            onSetUp?.();
          }}
        />
      );
    case "renew":
      return (
        <Guarded
          title={t("factor.renewTitle")}
          body={t("factor.renewBody")}
          ok={t("factor.renew")}
          onClose={close}
          onSubmit={async (oldPsw) =>
            changed((await call(recoveryRenew, { oldPsw })).data.recoveryCodes)
          }
        />
      );
    default:
      return <Removal step={step} onClose={close} onRemoved={() => changed(null)} />;
  }
}

interface RemovalProps {
  readonly step: Extract<
    Step,
    { kind: "removeTotp" | "removePasskey" | "totp" | "passkey" | "renew" }
  >;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

function Removal({ step, onClose, onRemoved }: RemovalProps) {
  const t = useTexts(accountMessages);
  const passkey = step.kind === "removePasskey" ? step.passkey : null;
  return (
    <Guarded
      title={
        passkey
          ? t("factor.removePasskeyTitle", { name: passkey.name })
          : t("factor.removeTotpTitle")
      }
      body={t("factor.removeBody")}
      ok={t("act.remove")}
      onClose={onClose}
      onSubmit={async (oldPsw) => {
        if (passkey) await call(passkeyRemove, { credential: passkey.credential, oldPsw });
        else await call(totpRemove, { oldPsw });
        onRemoved();
      }}
    />
  );
}

interface GuardedProps {
  readonly title: string;
  readonly body: string;
  readonly ok: string;
  readonly onClose: () => void;
  readonly onSubmit: (oldPsw: string) => Promise<void>;
}

function Guarded({ title, body, ok, onClose, onSubmit }: GuardedProps) {
  return (
    <Modal open title={title} width={460} footer={null} onCancel={onClose}>
      <p>{body}</p>
      <PasswordStep ok={ok} danger onSubmit={onSubmit} onCancel={onClose} />
    </Modal>
  );
}
