// Two elements for any page: <script type="module" src="…/dist/elements/index.js"></script> is all that they need.

import { AstragalOdds } from './odds.js';
import { AstragalRoll } from './roll.js';

export { AstragalOdds, AstragalRoll };

// On a server there is nothing to define; twice is a mistake of two scripts, and no harm.
if (typeof customElements !== 'undefined') {
  if (!customElements.get('astragal-odds')) customElements.define('astragal-odds', AstragalOdds);
  if (!customElements.get('astragal-roll')) customElements.define('astragal-roll', AstragalRoll);
}

declare global {
  interface HTMLElementTagNameMap {
    'astragal-odds': AstragalOdds;
    'astragal-roll': AstragalRoll;
  }
}
