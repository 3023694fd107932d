package io.persist.shard.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrisTest {

    @ParameterizedTest
    @CsvSource({
        "postgres://me:geheim@host:5432/db, postgres://me:***@host:5432/db",
        "--consensus-uri=postgres://me:ge/he:i@m@host/db, --consensus-uri=postgres://me:***@host/db",
        "postgres://host/db?user=me&password=geheim&ssl=on, postgres://host/db?user=me&password=***&ssl=on",
        "s3://bucket/x?secretKey=geheim, s3://bucket/x?secretKey=***",
        "file:///a:b@c/d, file:///a:b@c/d",
        "postgres://me@host/db, postgres://me@host/db"
    })
    void shouldHideWhatIsSecret(String uri, String shown) {
        assertThat(Uris.shown(uri)).isEqualTo(shown);
    }
}
