// The page begins here: colours first, then the page itself. The engine is already on its way (see engine/client.ts).

import './app.css';
import './print.css';
import '../sw/register';
import { mount } from 'svelte';
import App from './App.svelte';
import { arrive } from './address/address';
import { recall } from './shell/theme.svelte';

recall();
arrive();
mount(App, { target: document.getElementById('app')! });
