/** The build takes styles out of the script. */
declare module "*.css";
