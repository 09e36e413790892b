require("centavo/shake");
