# empty until the plugin lands
