package io.persist.chronicle;

import io.persist.support.FaceContract;

class FaceTest extends FaceContract {

    FaceTest() {
        super("persist-chronicle", "persist-chronicle/src/test/resources/face/public-types.txt");
    }
}
