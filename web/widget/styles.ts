/** All of the payment page's look, for the page itself and for its preview. How it is printed is last: it overrides the rest. */
import "../kit/tokens.css";
import "../kit/buttons.css";
import "../kit/fields.css";
import "../kit/dialog.css";
import "./style.css";
import "./style-buttons.css";
import "./style-card.css";
import "./style-challenge.css";
import "./style-chance.css";
import "./style-choices.css";
import "./style-language.css";
import "./style-steps.css";
import "./style-transfer.css";
import "./style-banks.css";
import "./style-trust.css";
import "./style-receipt.css";
