// The page begins here: colours first, then the page itself. The engine is already on its way (see engine/client.ts).

import './app.css';
import '../sw/register';
import { mount } from 'svelte';
import App from './App.svelte';
import { recall } from './shell/theme.svelte';

recall();
mount(App, { target: document.getElementById('app')! });
