import "centavo/shake";
