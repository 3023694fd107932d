package io.persist.micrometer;

import io.persist.support.FaceContract;

class FaceTest extends FaceContract {

    FaceTest() {
        super("persist-micrometer", "persist-micrometer/src/test/resources/face/public-types.txt");
    }
}
