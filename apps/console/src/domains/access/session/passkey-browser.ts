import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { PasskeyError } from "./passkey-error.ts";

/** Browsers offer passkeys on pages that came by HTTPS, or from the machine itself. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn() && isSecureContext;

const give = async <T>(result: Promise<T>): Promise<string> => {
  try {
    return JSON.stringify(await result);
  } catch (error) {
    throw new PasskeyError(String(error));
  }
};

/** Lets the browser make a passkey. Both are JSON text. @throws PasskeyError */
export const makePasskey = (options: string): Promise<string> => {
  const optionsJSON = JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON;
  return give(startRegistration({ optionsJSON }));
};

/** Lets a passkey of the browser sign. Both are JSON text. @throws PasskeyError */
export const signWithPasskey = (options: string): Promise<string> => {
  const optionsJSON = JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON;
  return give(startAuthentication({ optionsJSON }));
};
