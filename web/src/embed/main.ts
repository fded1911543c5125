// A chart in somebody else's page: the program is in the address, as in any link, and the colours are in the query.

import '../app.css';
import '../print.css';
import { mount } from 'svelte';
import Embed from './Embed.svelte';

const theme = new URLSearchParams(location.search).get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
mount(Embed, { target: document.getElementById('app')! });
