// Before the first paint, and in a file of its own because the page allows no script inside it.
const theme = localStorage.getItem('linekeeper.theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
