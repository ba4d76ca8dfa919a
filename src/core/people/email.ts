const EMAIL_MAX = 254;
/** ASCII alone: what two programs lower-case differently would be two people to one and one person to the other. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** The address as it is stored and compared; undefined for what is not an e-mail address. */
export function findEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= EMAIL_MAX && EMAIL.test(email) ? email : undefined;
}
