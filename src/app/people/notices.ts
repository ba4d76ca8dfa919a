/** What people are told by e-mail. The text is made where it is sent. */
type Notice =
  | {
      readonly kind: "invitation";
      readonly to: string;
      readonly merchantName: string;
      readonly role: string;
      readonly link: string;
    }
  | { readonly kind: "password_reset"; readonly to: string; readonly link: string }
  | { readonly kind: "new_sign_in"; readonly to: string; readonly address: string; readonly browser: string };

/**
 * Sends a notice, once the change that it is about is committed. It does not wait for the mail server, and what fails is logged. Undefined
 * where no mail server is set: then links are shown to the one who invites.
 */
export type SendNotice = ((notice: Notice) => void) | undefined;
