"""Cities whose own names need more than the letters a to z."""

TRAIN = """Munich German München;Zurich German Zürich;Gothenburg Swedish Göteborg;Lodz Polish Łódź
Athens Greek Αθήνα;Moscow Russian Москва;Kyoto Japanese 京都;Seoul Korean 서울;Bogota Spanish Bogotá
Brasilia Portuguese Brasília;Reykjavik Icelandic Reykjavík;Plzen Czech Plzeň;Belgrade Serbian-Cyrillic Београд
Chisinau Romanian Chișinău;Gdansk Polish Gdańsk;Malaga Spanish Málaga"""
TEST = """Nuremberg German Nürnberg;Krakow Polish Kraków;Sofia Bulgarian София;Beijing Chinese 北京
Tromso Norwegian Tromsø;Kosice Slovak Košice;Izmir Turkish İzmir;Busan Korean 부산"""


def cities(split: str, table: str) -> list[dict]:
    rows = [row.split() for row in table.replace("\n", ";").split(";")]
    return [
        {"id": f"{split}-{n}", "seed": 0, "city": city, "language": language, "native": native}
        for n, (city, language, native) in enumerate(rows)
    ]


TASKS = {"train": cities("train", TRAIN), "test": cities("test", TEST)}
