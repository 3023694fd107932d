package io.persist.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class CarMessageTest {

    /** Written by hand from the example schema, field by field. */
    private static final String GOLDEN =
            // header: block length 49, template 1, schema 1, version 0
            "3100" + "0100" + "0100" + "0000"
                    // serial number 12345, model year 2005, available, code A
                    + "3930000000000000" + "d507" + "01" + "41"
                    // five numbers
                    + "01000000" + "02000000" + "03000000" + "04000000" + "05000000"
                    // vehicle code abcdef, extras: sports pack and cruise control
                    + "616263646566" + "06"
                    // engine: 4200 cc, 8 cylinders, abc, efficiency 35, boosted by nitrous, 200 horse power
                    + "6810" + "08" + "616263" + "23" + "01" + "4e" + "c8"
                    // fuel figures: entries of 6 bytes, 3 of them: speed, mpg, empty description
                    + "0600" + "0300"
                    + "1e00" + "9a990f42" + "00000000"
                    + "3700" + "00004442" + "00000000"
                    + "4b00" + "00002042" + "00000000"
                    // performance figures: entries of 1 byte, 2 of them, each with 3 accelerations of 6 bytes
                    + "0100" + "0200"
                    + "5f" + "0600" + "0300"
                    + "1e00" + "00008040" + "3c00" + "0000f040" + "6400" + "33334341"
                    + "63" + "0600" + "0300"
                    + "1e00" + "33337340" + "3c00" + "3333e340" + "6400" + "cdcc3c41"
                    // manufacturer, model, activation code
                    + "0c000000" + "4d414e554641435455524552"
                    + "05000000" + "4d4f44454c"
                    + "06000000" + "616263646566";

    @Test
    void shouldEncodeAsTheExampleSchemaSays() {
        assertThat(hex(new CarMessage().message(12344))).isEqualTo(GOLDEN);
    }

    @Test
    void shouldDifferInTheSerialNumberOnly() {
        CarMessage car = new CarMessage();
        String first = hex(car.message(0));
        String second = hex(car.message(1));

        assertThat(first.substring(0, 16)).isEqualTo(second.substring(0, 16));
        assertThat(first.substring(16, 32)).isEqualTo("0100000000000000");
        assertThat(second.substring(16, 32)).isEqualTo("0200000000000000");
        assertThat(first.substring(32)).isEqualTo(second.substring(32));
    }

    @Test
    void shouldSayItsLength() {
        CarMessage car = new CarMessage();

        assertThat(car.message(0).remaining()).isEqualTo(car.maxLength()).isEqualTo(GOLDEN.length() / 2);
        assertThat(car.averageLength()).isEqualTo(car.maxLength());
    }

    private static String hex(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(message.position(), bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
