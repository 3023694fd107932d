package io.persist.bench.record;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The message "Car" of the SBE project's example schema (id 1, version 0), with the values that the Rumi benchmarks
 * use. The serial number is the message's index + 1; everything else stays the same.
 *
 * <p>Written by hand, because a generated codec works on Agrona's buffers, and those need JVM flags. All integers are
 * little-endian; a group starts with the length of its entries and their number, u16 each, and text with its length,
 * u32.
 *
 * <pre>
 *    0 blockLength u16, templateId u16, schemaId u16, version u16     the message header
 *    8 serialNumber u64
 *   16 modelYear u16, available u8, code char
 *   20 someNumbers u32[5]
 *   40 vehicleCode char[6], extras u8 (bit set)
 *   47 engine: capacity u16, cylinders u8, manufacturer char[3], efficiency i8
 *      booster: enabled u8, type char, horsePower u8
 *   57 fuelFigures: {speed u16, mpg f32, usageDescription text}
 *      performanceFigures: {octaneRating u8, acceleration: {mph u16, seconds f32}}
 *      manufacturer text, model text, activationCode text
 * </pre>
 */
public final class CarMessage implements Messages {

    static final int SERIAL_NUMBER_OFFSET = 8;

    private static final int HEADER_LENGTH = 8;
    private static final int BLOCK_LENGTH = 49;
    private static final int TEMPLATE_ID = 1;
    private static final int SCHEMA_ID = 1;
    private static final int SCHEMA_VERSION = 0;

    private static final int EXTRA_SPORTS_PACK = 1 << 1;
    private static final int EXTRA_CRUISE_CONTROL = 1 << 2;

    private final ByteBuffer buffer = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    public CarMessage() {
        putBlock();
        putFuelFigures();
        putPerformanceFigures();
        putText("MANUFACTURER");
        putText("MODEL");
        putText("abcdef");
        buffer.flip();
    }

    @Override
    public ByteBuffer message(long index) {
        buffer.putLong(SERIAL_NUMBER_OFFSET, index + 1);
        return buffer.position(0);
    }

    private void putBlock() {
        putShorts(BLOCK_LENGTH, TEMPLATE_ID, SCHEMA_ID, SCHEMA_VERSION);
        buffer.putLong(1);
        putShorts(2005);
        buffer.put((byte) 1).put((byte) 'A');
        for (int number = 1; number <= 5; number++) {
            buffer.putInt(number);
        }
        buffer.put("abcdef".getBytes(US_ASCII));
        buffer.put((byte) (EXTRA_SPORTS_PACK | EXTRA_CRUISE_CONTROL));
        putShorts(4200);
        buffer.put((byte) 8).put("abc".getBytes(US_ASCII));
        buffer.put((byte) 35).put((byte) 1).put((byte) 'N').put((byte) 200);
        assert buffer.position() == HEADER_LENGTH + BLOCK_LENGTH : "position=" + buffer.position();
    }

    private void putFuelFigures() {
        putShorts(6, 3);
        putFuelFigure(30, 35.9f);
        putFuelFigure(55, 49.0f);
        putFuelFigure(75, 40.0f);
    }

    private void putFuelFigure(int speed, float mpg) {
        putShorts(speed);
        buffer.putFloat(mpg);
        putText("");
    }

    private void putPerformanceFigures() {
        putShorts(1, 2);
        buffer.put((byte) 95);
        putAccelerations(4.0f, 7.5f, 12.2f);
        buffer.put((byte) 99);
        putAccelerations(3.8f, 7.1f, 11.8f);
    }

    private void putAccelerations(float to30, float to60, float to100) {
        putShorts(6, 3);
        putShorts(30);
        buffer.putFloat(to30);
        putShorts(60);
        buffer.putFloat(to60);
        putShorts(100);
        buffer.putFloat(to100);
    }

    private void putText(String text) {
        buffer.putInt(text.length()).put(text.getBytes(US_ASCII));
    }

    private void putShorts(int... values) {
        for (int value : values) {
            buffer.putShort((short) value);
        }
    }

    @Override
    public Object decode(ByteBuffer message) {
        return Car.decode(message.order(ByteOrder.LITTLE_ENDIAN));
    }

    @Override
    public Messages copy() {
        return new CarMessage();
    }

    @Override
    public int maxLength() {
        return buffer.limit();
    }

    @Override
    public double averageLength() {
        return buffer.limit();
    }

    @Override
    public String describe() {
        return "SBE example message Car, " + buffer.limit() + " bytes";
    }
}
